import { html, raw } from 'hono/html';
import { encodeQR } from 'qr';
import type { Config } from '../../config.ts';
import type { Html } from './layout.ts';
import { solanaPayLink, type WalletLink, walletLinks } from './wallet-links.ts';

/** Links with which a checkout is approved outside of this browser. */
export interface CheckoutLinks {
  /** Opens the operator's app on a phone that has it; undefined if none is configured. */
  readonly app: string | undefined;
  /** Opens any wallet that supports Solana Pay; undefined without https. */
  readonly solanaPay: string | undefined;
  /** Open this page in the browser of a wallet app. */
  readonly walletApps: readonly WalletLink[];
}

export function checkoutLinksOf(
  { publicUrl, customerApp }: Pick<Config, 'publicUrl' | 'customerApp'>,
  sessionId: string,
): CheckoutLinks {
  return {
    app: customerApp && `${customerApp.scheme}://subscribe?sessionId=${sessionId}`,
    solanaPay: solanaPayLink(publicUrl, sessionId),
    walletApps: walletLinks(publicUrl, `/checkout/${sessionId}`),
  };
}

/**
 * Renders links for phones, one of them as the button, and QR codes for other devices;
 * checkout-style.ts shows those that fit the device. They work without scripts.
 */
export function otherDevices({ app, solanaPay, walletApps }: CheckoutLinks): Html {
  return html`
<noscript><p class="none">This page cannot open a wallet without JavaScript. Scan the code or follow a link below, and approve in your wallet. This page then shows the result.</p></noscript>
<p class="advice" role="status" data-part="asked" hidden>A wallet has opened this checkout. Approve it there: this page updates automatically.</p>
<div class="phone">
${solanaPay === undefined ? '' : html`<a class="button" href="${solanaPay}">Pay with a wallet app</a>`}
<details class="more"${solanaPay === undefined ? ' open' : ''}>
<summary>Other ways to pay</summary>
${app === undefined ? '' : html`<p class="soft"><a href="${app}">Continue in the app</a></p>`}
<p class="soft">Open this page in</p>
<ul class="apps">${walletApps.map(({ name, href }) => html`<li><a href="${href}" rel="noreferrer">${name}</a></li>`)}</ul>
</details>
</div>
${
  solanaPay === undefined
    ? ''
    : html`<details data-part="scan">
<summary>Pay with a wallet on your phone</summary>
${code(solanaPay, 'QR code for a wallet with Solana Pay')}
<p class="soft">Scan this with Phantom, Solflare, Backpack or another Solana wallet. Nothing is paid until you approve it there.</p>
</details>`
}
${
  app === undefined
    ? ''
    : html`<details>
<summary>Use the app on your phone</summary>
${code(app, 'QR code that opens this checkout in the app')}
<p class="soft">Scan this with the phone that has the app. Nothing is paid until you approve it there.</p>
</details>`
}`;
}

function code(link: string, label: string): Html {
  return html`<div class="code" role="img" aria-label="${label}">${raw(encodeQR(link, 'svg', { ecc: 'medium', border: 1 }))}</div>`;
}
