import { html } from 'hono/html';
import type { PriceAsset } from '../../domain/catalog/asset/price-asset.ts';
import { durationText, trialText } from '../../domain/catalog/money/duration-text.ts';
import { priceText } from '../../domain/catalog/money/price-text.ts';
import type { LinkRecord } from '../../domain/checkout/payment-link/public-link.ts';
import type { Html } from './layout.ts';
import { sellerMark, supportLine, testBadge } from './seller.ts';

/** The visitor's input so far. */
export interface Entered {
  readonly email: string;
  /** Message about an invalid email. */
  readonly problem?: string;
}

/** Renders the offer of a payment link, with the form that opens a checkout. */
export function linkContent(link: LinkRecord, asset: PriceAsset, { email, problem }: Entered): Html {
  const { id, plan, environment } = link;
  return html`
<main>
${testBadge(environment)}
<div class="card">
${sellerMark(link.merchant)}
<h1>${plan.name}</h1>
<p class="price"><strong>${priceText(asset, plan.amount)}</strong> every ${durationText(plan.intervalSeconds)}</p>
${plan.trialPeriodSeconds > 0 ? html`<p class="trial">${trialText(plan.trialPeriodSeconds)}</p>` : ''}
${plan.description === null ? '' : html`<p class="soft">${plan.description}</p>`}
<form class="step" method="post" action="/pay/${id}">
${problem === undefined ? '' : html`<p class="problem" role="alert" id="problem">${problem}</p>`}
<label for="customerEmail">Your email</label>
<input class="field" id="customerEmail" name="customerEmail" type="email" required maxlength="254" autocomplete="email" value="${email}"${problem === undefined ? '' : html` aria-invalid="true" aria-describedby="problem" autofocus`}>
<button class="button" type="submit">Continue</button>
<p class="soft">You approve and pay in your Solana wallet on the next page. Nothing is paid here.</p>
</form>
</div>
${footer(link)}
</main>`;
}

/** Renders the page of a link that is off, or whose plan is closed to new customers. */
export function closedLink(link: LinkRecord): Html {
  const { companyName } = link.merchant;
  return html`
<main><div class="card">
${sellerMark(link.merchant)}
<section class="step"><h2>This offer is no longer available</h2><p class="soft">${companyName} has switched this link off. Ask ${companyName} for a new one.</p></section>
</div>
${footer(link)}
</main>`;
}

function footer({ merchant: { supportEmail }, cancelUrl }: LinkRecord): Html {
  return html`<footer>
${cancelUrl === null ? '' : html`<p><a href="${cancelUrl}">Go back</a></p>`}
${supportLine(supportEmail)}
</footer>`;
}
