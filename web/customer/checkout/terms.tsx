import type { OpenCheckoutData } from '../../../src/api/pages/page-data.ts';
import { durationText, lengthText } from '../../../src/domain/catalog/money/duration-text.ts';
import { Card } from '../../shared/components/card.tsx';
import { checkout } from '../../shared/text/checkout.ts';
import { inToken } from './amounts.ts';
import type { WalletTerms } from './checkout-api.ts';

const text = checkout.terms;
const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
const MINUTE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

const POWERS = ['canFreeze', 'canTake', 'canPause', 'canClose'] as const;

interface TermsProps {
  readonly data: OpenCheckoutData;
  /** What the chosen wallet pays; null before the choice. */
  readonly terms: WalletTerms | null;
}

/** What the customer approves. */
export function Terms({ data, terms }: TermsProps) {
  const { company, offer, issuer } = data;
  const lines = text.lines(
    company.name,
    inToken(offer, offer.maxAmount),
    durationText(offer.intervalSeconds),
    BigInt(offer.maxAmount) > BigInt(offer.discount?.fullAmount ?? offer.amount),
  );
  return (
    <Card title={text.title}>
      <ul className="grid list-disc gap-1.5 pl-4.5 text-soft">
        <li>{terms ? firstOfWallet(data, terms) : firstOf(data)}</li>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
        {issuer && POWERS.map((power) => issuer[power] && <li key={power}>{text.issuer[power]}</li>)}
      </ul>
    </Card>
  );
}

/** Says when the first payment is due, before a wallet is known. */
function firstOf({ offer, trialSeconds, expiresAt, secondsLeft }: OpenCheckoutData): string {
  const price = inToken(offer, offer.amount);
  if (trialSeconds === 0) return text.first(price);
  const nowMs = Date.parse(expiresAt) - 1_000 * secondsLeft;
  const date = DAY.format(nowMs + 1_000 * trialSeconds);
  return text.firstAfterTrial(price, lengthText(trialSeconds), date);
}

function firstOfWallet({ offer }: OpenCheckoutData, { dueNow, nextPaymentDate }: WalletTerms): string {
  const { amount, discount } = offer;
  // A discount of one payment is over after the one that is due now.
  const second = dueNow !== '0' && discount?.periods === 1 ? discount.fullAmount : amount;
  const next = text.on(inToken(offer, second), minuteText(nextPaymentDate));
  return dueNow === '0' ? text.nothingNow(next) : text.firstThenNext(inToken(offer, dueNow), next);
}

/** A time, which is the same for all customers: `3 Mar 2027, 14:05 (UTC)`. */
export function minuteText(at: string): string {
  return text.utc(MINUTE.format(new Date(at)));
}
