import { html } from 'hono/html';
import type { Environment } from '../../generated/prisma/client.ts';
import type { Html } from './layout.ts';

/** Renders the merchant's logo and name. Without a logo it shows the first letter of the name. */
export function sellerMark({
  companyName,
  logoUrl,
}: {
  readonly companyName: string;
  readonly logoUrl: string | null;
}): Html {
  const mark =
    logoUrl === null
      ? html`<span class="mark" aria-hidden="true">${[...companyName][0]}</span>`
      : html`<img src="${logoUrl}" alt="">`;
  return html`<p class="seller">${mark}<span>${companyName}</span></p>`;
}

/** Renders the email address for questions to the merchant; empty if there is none. */
export function supportLine(supportEmail: string | null): Html | string {
  if (supportEmail === null) return '';
  return html`<p>Questions? <a href="mailto:${encodeURIComponent(supportEmail)}">${supportEmail}</a></p>`;
}

/** Renders a note that no real money moves; empty in LIVE. */
export function testBadge(environment: Environment): Html | string {
  return environment === 'TEST' ? html`<p class="badge">Test mode: no real money moves.</p>` : '';
}
