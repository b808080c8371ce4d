import { html, raw } from 'hono/html';
import { encodeQR } from 'qr';
import type { PublicSession } from '../../domain/checkout/get-checkout-session.ts';
import type { Html } from './layout.ts';

/** Opens the app on a phone that has it. */
const APP_SCHEME = 'dues';

/**
 * How an open checkout is gone through: with a wallet in this browser, or in the app. The script shows one step at a time
 * (checkout-browser/page.ts); without it the app is left.
 */
export function checkoutSteps(session: PublicSession): Html {
  return html`
<p class="problem" role="alert" data-part="problem" hidden></p>
<section class="step" data-step="choose">
<h2 tabindex="-1">Subscribe with your wallet</h2>
<ul class="wallets" data-part="wallets"></ul>
<p class="none" data-part="no-wallet" hidden>There is no Solana wallet in this browser. Install one and load the page again, or use the app.</p>
${inApp(session)}
</section>
<section class="step" data-step="review" hidden>
<h2 tabindex="-1">Your wallet</h2>
<dl><dt data-part="wallet-name"></dt><dd><code data-part="wallet-address"></code></dd><div data-part="funds"><dt>Balance</dt><dd data-part="balance"></dd></div></dl>
<p class="advice" data-part="advice" hidden></p>
<button class="button" type="button" data-part="approve">Approve subscription</button>
<button class="button" type="button" data-part="again" hidden>Check again</button>
<button class="plain" type="button" data-part="other">Use another wallet</button>
</section>
<section class="step" data-step="working" role="status" hidden>
<div class="spinner" aria-hidden="true"></div>
<h2 tabindex="-1" data-part="working-title"></h2>
<p class="soft" data-part="working-words"></p>
</section>
<section class="step" data-step="done" role="status" hidden>
${TICK}
<h2 tabindex="-1">You are subscribed</h2>
<p class="soft" data-part="done-words" hidden>Taking you back to ${session.merchant.companyName}.</p>
<a class="button" data-part="go-on" href="/" hidden>Continue</a>
</section>`;
}

/** The app, by a link for phones and by a code for everybody else. */
function inApp({ sessionId }: PublicSession): Html {
  const link = `${APP_SCHEME}://subscribe?sessionId=${sessionId}`;
  return html`
<a class="button app" href="${link}">Continue in the app</a>
<details>
<summary>Use the app on your phone</summary>
<div class="code" role="img" aria-label="QR code that opens this checkout in the app">${raw(encodeQR(link, 'svg', { ecc: 'medium', border: 1 }))}</div>
<p class="soft">Scan this with the phone that has the app. Nothing is paid until you approve it there.</p>
</details>`;
}

/** Decoration: what it says stands beside it. */
export const TICK = html`<svg class="tick" viewBox="0 0 48 48" aria-hidden="true"><circle cx="24" cy="24" r="22"/><path d="m14 25 7 7 14-15"/></svg>`;
