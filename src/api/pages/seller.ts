import { html } from 'hono/html';
import type { Environment } from '../../generated/prisma/client.ts';
import type { Html } from './layout.ts';

/** The merchant's logo and name; without a logo the first letter of its name. */
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

/** How customers reach the merchant; empty without an address. */
export function supportLine(supportEmail: string | null): Html | string {
  if (supportEmail === null) return '';
  return html`<p>Questions? <a href="mailto:${encodeURIComponent(supportEmail)}">${supportEmail}</a></p>`;
}

/** Says that a page is not about real money; empty on LIVE. */
export function testBadge(environment: Environment): Html | string {
  return environment === 'TEST' ? html`<p class="badge">Test mode: no real money moves.</p>` : '';
}
