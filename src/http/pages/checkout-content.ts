import { html } from 'hono/html';
import { toDecimal } from '../../decimal-amount.ts';
import type { PublicSession } from '../../domain/checkout/get-checkout-session.ts';
import { inWords } from '../in-words.ts';
import { checkoutSteps, TICK } from './checkout-steps.ts';
import type { Html } from './layout.ts';

/** What the price is paid in. */
export interface Asset {
  /** For people; null for a token that we know by its mint only. */
  readonly name: string | null;
  /** Digits of its base units behind the point. */
  readonly decimals: number;
}

/** What the page shows, as its session stands. */
export interface CheckoutView {
  readonly session: PublicSession;
  /** Null where it is not known, and the checkout is over: then no price is shown. */
  readonly asset: Asset | null;
  readonly secondsLeft: number;
}

/** Where wallets are asked to send to, by the names of the Wallet Standard. */
const CHAINS = { TEST: 'solana:devnet', LIVE: 'solana:mainnet' } as const;

/** Whatever merchants and customers wrote is text in it, or the address of a link. */
export function checkoutContent(view: CheckoutView): Html {
  const { session, asset, secondsLeft } = view;
  const { plan, sessionId, environment, status } = session;
  const isOpen = status === 'OPEN';
  return html`
<main data-part="checkout" data-session="/api/checkout/${sessionId}" data-seconds-left="${secondsLeft}" data-chain="${CHAINS[environment]}" data-amount="${plan.amount}" data-decimals="${asset?.decimals}" data-asset="${nameOf(asset)}" data-trial="${plan.trialPeriodSeconds > 0 ? 'yes' : 'no'}">
${environment === 'TEST' ? html`<p class="badge">Test mode: no real money is moved.</p>` : ''}
<div class="card">
${offer(view)}
${isOpen ? checkoutSteps(session) : outcome(session)}
</div>
${isOpen && asset ? permission(session, asset) : ''}
${footer(session)}
</main>`;
}

function offer({ session, asset }: CheckoutView): Html {
  const { merchant, plan, customerEmail, status } = session;
  const { companyName, logoUrl } = merchant;
  const mark =
    logoUrl === null
      ? html`<span class="mark" aria-hidden="true">${[...companyName][0]}</span>`
      : html`<img src="${logoUrl}" alt="">`;
  return html`
<p class="seller">${mark}<span>${companyName}</span></p>
<h1>${plan.name}</h1>
${asset ? html`<p class="price"><strong>${priceIn(asset, plan)}</strong> every ${inWords(plan.intervalSeconds)}</p>` : ''}
${plan.trialPeriodSeconds > 0 ? html`<p class="trial">The first ${inWords(plan.trialPeriodSeconds)} free</p>` : ''}
${plan.description === null ? '' : html`<p class="soft">${plan.description}</p>`}
<dl class="facts">
<dt>For</dt><dd>${customerEmail}</dd>
${asset?.name == null ? html`<dt>Token</dt><dd><code>${plan.mint}</code></dd>` : ''}
${status === 'OPEN' ? html`<dt data-while-open>Time left</dt><dd data-while-open data-part="left" role="timer">until ${hourOf(session)}</dd>` : ''}
</dl>`;
}

/** How it ended. */
function outcome({ status, redirectUrl, merchant }: PublicSession): Html {
  if (status === 'EXPIRED') {
    return html`<section class="step" role="status"><h2>This checkout has expired</h2><p class="soft">Start again at ${merchant.companyName}.</p></section>`;
  }
  return html`<section class="step" role="status">${TICK}<h2>You are subscribed</h2>${
    redirectUrl === null ? '' : html`<a class="button" href="${redirectUrl}">Continue</a>`
  }</section>`;
}

function permission({ merchant, plan }: PublicSession, asset: Asset): Html {
  const most = priceIn(asset, plan);
  return html`
<section class="card terms" data-while-open>
<h2>What you approve</h2>
<ul>
<li>${merchant.companyName} may collect ${most} once every ${inWords(plan.intervalSeconds)}, and never more than that.</li>
<li>It goes from your wallet to ${merchant.companyName} and nowhere else. Until then it stays with you.</li>
<li>You can take the approval back at any time; the price cannot change without a new one.</li>
</ul>
</section>`;
}

function footer({ status, cancelUrl, merchant }: PublicSession): Html {
  const { supportEmail, companyName } = merchant;
  return html`<footer>
${cancelUrl === null || status === 'COMPLETED' ? '' : html`<p class="cancel" data-while-open><a href="${cancelUrl}">${status === 'OPEN' ? 'Cancel and go back' : 'Go back'} to ${companyName}</a></p>`}
${supportEmail === null ? '' : html`<p>Questions? <a href="mailto:${encodeURIComponent(supportEmail)}">${supportEmail}</a></p>`}
</footer>`;
}

function priceIn(asset: Asset, { amount }: PublicSession['plan']): string {
  return `${toDecimal(amount, asset.decimals)} ${nameOf(asset)}`;
}

function nameOf(asset: Asset | null): string {
  return asset?.name ?? 'tokens';
}

/** `12:30 UTC`: where no script counts down. */
function hourOf({ expiresAt }: PublicSession): string {
  return `${expiresAt.toISOString().slice(11, 16)} UTC`;
}
