import { brandColors } from '../../domain/accounts/merchant/brand-colors.ts';

/**
 * The style that shows a page in the colour of its merchant; empty for our own colours.
 *
 * @param brandColor `#rrggbb`, which `validColor` has checked; null for ours
 */
export function brandStyle(brandColor: string | null): string {
  if (brandColor === null) return '';
  const { color, text, onLight, onDark } = brandColors(brandColor);
  // The colours of links are readable on sunken ground too.
  return `:root{--brand:${color};--on-brand:${text};--accent:light-dark(${onLight},${onDark});--accent-ground:var(--sunken)}`;
}
