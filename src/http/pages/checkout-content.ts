import { html, raw } from 'hono/html';
import { encodeQR } from 'qr';
import type { PublicSession } from '../../domain/checkout/get-checkout-session.ts';
import { inWords, toDecimal } from '../price.ts';
import type { Html } from './layout.ts';

/** Opens the app on a phone that has it. */
const APP_SCHEME = 'dues';

/** What the page shows, as its session stands. */
export interface CheckoutView {
  readonly session: PublicSession;
  /** What the price is paid in, for people. */
  readonly asset: string;
  readonly secondsLeft: number;
}

/** Whatever merchants and customers wrote is text in it, or the address of a link. */
export function checkoutContent({ session, asset, secondsLeft }: CheckoutView): Html {
  const { merchant, plan, customerEmail, sessionId, environment, status } = session;
  return html`
<main data-session="/api/checkout/${sessionId}" data-seconds-left="${secondsLeft}">
${environment === 'TEST' ? html`<p class="badge">Test mode: no real money is moved.</p>` : ''}
<div class="card">
<p class="seller">${merchant.logoUrl === null ? '' : html`<img src="${merchant.logoUrl}" alt="">`}<span>${merchant.companyName}</span></p>
<h1>${plan.name}</h1>
<p class="price">${priceOf(plan, asset)}${plan.trialPeriodSeconds > 0 ? `, the first ${inWords(plan.trialPeriodSeconds)} free` : ''}</p>
${plan.description === null ? '' : html`<p class="soft">${plan.description}</p>`}
<dl><dt>For</dt><dd>${customerEmail}</dd>${status === 'OPEN' ? html`<dt>Time left</dt><dd data-left role="timer">until ${hourOf(session)}</dd>` : ''}</dl>
${nextStep(session, asset)}
</div>
${footer(session)}
</main>`;
}

function nextStep(session: PublicSession, asset: string): Html {
  const { status, redirectUrl, merchant } = session;
  if (status === 'EXPIRED') {
    return html`<p role="status">This checkout has expired. Start again at ${merchant.companyName}.</p>`;
  }
  if (status === 'OPEN') return html`${approach(session)}${permission(session, asset)}`;
  return html`<p role="status">You are subscribed.</p>${
    redirectUrl === null ? '' : html`<a class="button" href="${redirectUrl}">Continue</a>`
  }`;
}

function approach({ sessionId, merchant }: PublicSession): Html {
  const link = `${APP_SCHEME}://subscribe?sessionId=${sessionId}`;
  return html`
<a class="button" href="${link}">Continue in the app</a>
<div class="code" role="img" aria-label="QR code that opens this checkout in the app">${raw(encodeQR(link, 'svg', { ecc: 'medium', border: 1 }))}</div>
<p class="soft centred">On a computer? Scan the code with the phone that has the app.</p>
<p class="soft centred">No app? Install it on your phone and scan the code then, or go back to ${merchant.companyName}. Nothing is paid until you approve it.</p>`;
}

function permission({ merchant, plan }: PublicSession, asset: string): Html {
  const most = `${toDecimal(plan.amount)} ${asset}`;
  return html`
<section>
<h2>What you approve</h2>
<ul>
<li>${merchant.companyName} may collect ${most} once every ${inWords(plan.intervalSeconds)}, and never more than that.</li>
<li>It goes from your wallet to ${merchant.companyName} and nowhere else. Until then it stays with you.</li>
<li>You can cancel at any time in your wallet; the price cannot change without a new approval.</li>
</ul>
</section>`;
}

function footer({ status, cancelUrl, merchant }: PublicSession): Html {
  const { supportEmail, companyName } = merchant;
  return html`<footer>
${cancelUrl === null || status === 'COMPLETED' ? '' : html`<p><a href="${cancelUrl}">Cancel and go back to ${companyName}</a></p>`}
${supportEmail === null ? '' : html`<p>Questions? <a href="mailto:${encodeURIComponent(supportEmail)}">${supportEmail}</a></p>`}
</footer>`;
}

function priceOf({ amount, intervalSeconds }: PublicSession['plan'], asset: string): string {
  return `${toDecimal(amount)} ${asset} every ${inWords(intervalSeconds)}`;
}

/** `12:30 UTC`: where no script counts down. */
function hourOf({ expiresAt }: PublicSession): string {
  return `${expiresAt.toISOString().slice(11, 16)} UTC`;
}
