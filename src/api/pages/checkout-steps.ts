import { html } from 'hono/html';
import type { PublicSession } from '../../domain/checkout/session/get-checkout-session.ts';
import { type CheckoutLinks, otherDevices } from './checkout-links.ts';
import type { Html } from './layout.ts';

/**
 * Renders the steps of an open checkout, with a wallet in this browser or on another device. The
 * script shows one step at a time (checkout-browser/page.ts). Without scripts only the links and QR
 * codes work.
 */
export function checkoutSteps(session: PublicSession, ways: CheckoutLinks): Html {
  return html`
<p class="problem" role="alert" data-part="problem" hidden></p>
<section class="step" data-step="choose">
<h2 tabindex="-1">Subscribe with your wallet</h2>
<ul class="wallets" data-part="wallets"></ul>
<p class="none" data-part="no-wallet" hidden>This browser has no Solana wallet. Use one on your phone, or install one and reload the page.</p>
${otherDevices(ways)}
</section>
<section class="step" data-step="review" hidden>
<h2 tabindex="-1">Your wallet</h2>
<dl><dt data-part="wallet-name"></dt><dd><code data-part="wallet-address"></code></dd><div data-part="funds"><dt>Balance</dt><dd data-part="balance"></dd></div><div data-part="now" hidden><dt>Due now</dt><dd data-part="due-now"></dd></div><div data-part="next" hidden><dt>Next payment</dt><dd data-part="next-payment"></dd></div><div data-part="network" hidden><dt>Network fee</dt><dd data-part="network-fee"></dd></div><div data-part="deposit" hidden><dt>Deposits, returned to you when the subscription is closed</dt><dd data-part="deposits"></dd></div></dl>
<p class="advice" data-part="advice" hidden></p>
<div data-part="top-up" hidden>
<div class="codes">
<figure data-part="top-up-sol" hidden><img class="code" data-part="top-up-sol-code" alt=""><figcaption data-part="top-up-sol-text"></figcaption></figure>
<figure data-part="top-up-tokens" hidden><img class="code" data-part="top-up-tokens-code" alt=""><figcaption data-part="top-up-tokens-text"></figcaption></figure>
</div>
<p class="soft" data-part="top-up-words"></p>
<p class="soft">The address of this wallet:<br><code data-part="top-up-address"></code></p>
<button class="plain" type="button" data-part="copy">Copy the address</button>
</div>
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
<a class="button" data-part="go-on" href="/checkout/${session.sessionId}">Continue</a>
</section>
<section class="step" data-step="other" role="status" hidden>
<h2 tabindex="-1">Another wallet has subscribed</h2>
<p>This checkout was completed with another wallet. The wallet you approved with is not charged, but its subscription holds a deposit in SOL. Sign in with that wallet to cancel it and get the deposit back.</p>
<a class="button" href="/portal" target="_blank" rel="noopener">Get your deposit back</a>
</section>`;
}

/** A decoration. The text beside it has the same meaning. */
export const TICK = html`<svg class="tick" viewBox="0 0 48 48" aria-hidden="true"><circle cx="24" cy="24" r="22"/><path d="m14 25 7 7 14-15"/></svg>`;
