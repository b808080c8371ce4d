import { brandColors } from '../../domain/accounts/merchant/brand-colors.ts';
import { type PageParts, securityPolicy } from './security-policy.ts';

/** A page's parts with the colours of its merchant, and the policy that allows exactly these. */
export interface BrandedPage {
  readonly parts: PageParts;
  readonly policy: string;
}

/** Puts the colours of a merchant into the style of a page. */
export function branded(parts: PageParts, color: string | null): BrandedPage {
  if (color === null) return { parts, policy: securityPolicy(parts) };
  const withColors = { ...parts, style: parts.style + brandStyle(color) };
  return { parts: withColors, policy: securityPolicy(withColors) };
}

/** @param brandColor `#rrggbb`, which `validColor` has checked */
function brandStyle(brandColor: string): string {
  const { color, text, onLight, onDark } = brandColors(brandColor);
  return `
:root{--brand:${color};--on-brand:${text};--accent:${onLight}}
@media(prefers-color-scheme:dark){:root{--accent:${onDark}}}`;
}
