import { html } from 'hono/html';
import type { PriceAsset } from '../../domain/catalog/asset/price-asset.ts';
import { durationText, lengthText, trialText } from '../../domain/catalog/money/duration-text.ts';
import { priceText, tokenName } from '../../domain/catalog/money/price-text.ts';
import type { PublicSession } from '../../domain/checkout/session/get-checkout-session.ts';
import type { CheckoutLinks } from './checkout-links.ts';
import { checkoutSteps } from './checkout-steps.ts';
import { type CompletedView, completedContent } from './completed-content.ts';
import type { Html } from './layout.ts';
import { sellerMark, supportLine, testBadge } from './seller.ts';

/** The data of the checkout page. */
export interface CheckoutView {
  readonly session: PublicSession;
  /**
   * The payment token; null if it is not known and the checkout has ended. Then no price is shown.
   */
  readonly asset: PriceAsset | null;
  readonly secondsLeft: number;
  readonly ways: CheckoutLinks;
  /** Null unless the checkout is completed. */
  readonly completed: CompletedView | null;
}

/** The chains that wallets use, in the names of the Wallet Standard. */
const CHAINS = { TEST: 'solana:devnet', LIVE: 'solana:mainnet' } as const;

/** Renders the checkout page. All text of merchants and customers is escaped or used as a link. */
export function checkoutContent(view: CheckoutView): Html {
  const { session, asset, secondsLeft, ways, completed } = view;
  const { plan, sessionId, environment, status } = session;
  const isOpen = status === 'OPEN';
  return html`
<main data-part="checkout" data-session="/api/checkout/${sessionId}" data-seconds-left="${secondsLeft}" data-chain="${CHAINS[environment]}" data-amount="${plan.amount}" data-decimals="${asset?.decimals}" data-asset="${tokenName(asset)}" data-plan-trial="${session.planTrialSeconds > 0 ? 'yes' : 'no'}">
${testBadge(environment)}
<div class="card">
${offer(view)}
${isOpen ? checkoutSteps(session, ways) : completed ? completedContent(session, asset, completed) : ended(session)}
</div>
${isOpen && asset ? permission(view, asset) : ''}
${footer(session)}
</main>`;
}

function offer({ session, asset }: CheckoutView): Html {
  const { merchant, plan, customerEmail, status } = session;
  return html`
${sellerMark(merchant)}
<h1>${plan.name}</h1>
${asset ? html`<p class="price"><strong>${priceText(asset, plan.amount)}</strong> every ${durationText(plan.intervalSeconds)}</p>` : ''}
${trial(session)}
${plan.description === null ? '' : html`<p class="soft">${plan.description}</p>`}
${
  status === 'COMPLETED'
    ? ''
    : html`<dl>
<dt>For</dt><dd>${customerEmail}</dd>
${asset?.name == null ? html`<dt>Token</dt><dd><code>${plan.mint}</code></dd>` : ''}
${status === 'OPEN' ? html`<dt data-while-open>Time left</dt><dd data-while-open><span data-part="left" role="timer">until ${hourOf(session)}</span></dd>` : ''}
</dl>`
}`;
}

/**
 * Renders the trial. Only after a wallet was chosen is it known whether that wallet had its trial.
 */
function trial({ status, plan, planTrialSeconds }: PublicSession): Html {
  const seconds = plan.trialPeriodSeconds;
  const shown = html`<p class="trial" data-part="trial"${seconds > 0 ? '' : ' hidden'}>${seconds > 0 ? trialText(seconds) : ''}</p>`;
  const hasHadTrial = status === 'OPEN' && seconds === 0 && planTrialSeconds > 0;
  return html`${shown}<p class="soft" data-part="no-trial"${hasHadTrial ? '' : ' hidden'}>This wallet has already had its free trial.</p>`;
}

/** Renders the result of a checkout that has ended without a subscription. */
function ended({ merchant, isSettling, walletConnected }: PublicSession): Html {
  if (isSettling) {
    return html`<section class="step" role="status"><div class="spinner" aria-hidden="true"></div><h2>Time is up</h2><p class="soft">If you approved in your wallet, you need not do anything: this page shows the result in a moment.</p></section>`;
  }
  const unsure = walletConnected ? ' If your wallet shows an approval for it, ask there first.' : '';
  return html`<section class="step" role="status"><h2>This checkout has expired</h2><p class="soft">Start again at ${merchant.companyName}.${unsure}</p></section>`;
}

function permission({ session, secondsLeft }: CheckoutView, asset: PriceAsset): Html {
  const { merchant, plan, expiresAt } = session;
  const price = priceText(asset, plan.amount);
  return html`
<section class="card terms" data-while-open>
<h2>What you approve</h2>
<ul>
<li data-part="first-charge">${firstCharge(plan, price, expiresAt.getTime() - 1000 * secondsLeft)}</li>
<li>${merchant.companyName} may collect ${price} once every ${durationText(plan.intervalSeconds)}, and never more than that.</li>
<li>Your wallet may call the approval unlimited: it is given to a public program on Solana, which allows ${merchant.companyName} that amount and no more.</li>
<li>The money goes from your wallet to ${merchant.companyName} and nowhere else. Until then it stays in your wallet.</li>
<li>You can revoke the approval at any time. The price cannot change without a new approval.</li>
</ul>
</section>`;
}

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/**
 * Says when the first payment is due. The script replaces it when the wallet is known.
 */
function firstCharge(
  { trialPeriodSeconds: seconds }: PublicSession['plan'],
  price: string,
  nowMs: number,
): string {
  const first = `The first payment, ${price}, is collected`;
  if (seconds === 0) return `${first} when you have approved.`;
  return `${first} ${lengthText(seconds)} after you have approved: on ${DAY.format(nowMs + 1000 * seconds)} (UTC) if you approve now.`;
}

function footer({ status, cancelUrl, merchant }: PublicSession): Html {
  const { supportEmail, companyName } = merchant;
  return html`<footer>
${cancelUrl === null || status === 'COMPLETED' ? '' : html`<p class="cancel" data-while-open><a href="${cancelUrl}">${status === 'OPEN' ? 'Cancel and go back' : 'Go back'} to ${companyName}</a></p>`}
${supportLine(supportEmail)}
</footer>`;
}

/** The time of expiry, `12:30 UTC`, which is shown while no script counts down. */
function hourOf({ expiresAt }: PublicSession): string {
  return `${expiresAt.toISOString().slice(11, 16)} UTC`;
}
