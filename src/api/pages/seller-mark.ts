import { html } from 'hono/html';
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
