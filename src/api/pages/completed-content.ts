import { html } from 'hono/html';
import type { PriceAsset } from '../../domain/catalog/asset/price-asset.ts';
import { dateText } from '../../domain/catalog/money/date-text.ts';
import { priceText } from '../../domain/catalog/money/price-text.ts';
import type { CheckoutResult, SubscriptionNow } from '../../domain/checkout/session/checkout-result.ts';
import type { PublicSession } from '../../domain/checkout/session/get-checkout-session.ts';
import { TICK } from './checkout-steps.ts';
import { customerLinks } from './customer-links.ts';
import type { Html } from './layout.ts';

/** What the page of a completed checkout shows beside the session. */
export interface CompletedView extends CheckoutResult {
  /** Page of the payment's receipt; null until it is collected. */
  readonly receiptPath: string | null;
}

/** Renders what was paid, what comes next, and where the customer can go from here. */
export function completedContent(
  { plan, customerEmail, merchant, redirectUrl, cancelUrl }: PublicSession,
  asset: PriceAsset | null,
  { payment, now, receiptPath, subscriptionId }: CompletedView,
): Html {
  const amountText = (amount: bigint) => (asset ? `${priceText(asset, amount)} ` : '');
  const facts = [
    ...(payment ? [['Paid', `${amountText(payment.amount)}on ${dayText(payment.paidAt)}`] as const] : []),
    ...(now ? nextFacts(now, amountText(plan.amount)) : []),
    ['For', customerEmail] as const,
  ];
  const back = redirectUrl ?? cancelUrl;
  return html`<section class="step result">
<div role="status" data-part="result"${now?.isCollectedSoon ? ' data-collecting' : ''}>
<h2>${TICK}${headingOf(now)}</h2>
${sentence(now, asset && priceText(asset, plan.amount))}
<dl>${facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>
</div>
${back === null ? '' : html`<a class="button" href="${back}">Back to ${merchant.companyName}</a>`}
${customerLinks({ receiptPath, subscriptionId })}
</section>`;
}

function headingOf(now: SubscriptionNow | null): string {
  if (now === null) return 'This checkout is complete';
  if (now.status === 'CANCELLED') return 'This subscription is cancelled';
  if (now.status === 'EXPIRED') return 'This subscription has ended';
  return 'You are subscribed';
}

function sentence(now: SubscriptionNow | null, price: string | null): Html | string {
  const payment = price === null ? 'payment' : `payment of ${price}`;
  const text =
    now?.status === 'PAST_DUE'
      ? `The ${payment} could not be collected yet. Manage the subscription to see what is missing.`
      : now?.isDue
        ? `The ${payment} is being collected.${now.isCollectedSoon ? ' This page shows it in a moment.' : ''}`
        : undefined;
  return text === undefined ? '' : html`<p class="soft">${text}</p>`;
}

type Fact = readonly [name: string, value: string];

function nextFacts({ nextPaymentAt, accessUntil, isDue, isUnpaid }: SubscriptionNow, amount: string): Fact[] {
  if (nextPaymentAt !== null) {
    return isDue
      ? []
      : [[isUnpaid ? 'First payment' : 'Next payment', `${amount}on ${dayText(nextPaymentAt)}`]];
  }
  return accessUntil === null ? [] : [['Access until', dayText(accessUntil)]];
}

/** A date that is not broken into two lines. */
function dayText(at: Date): string {
  return dateText(at).replaceAll(' ', '\u00a0');
}
