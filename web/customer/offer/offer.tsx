import type { ReactNode } from 'react';
import type { OfferData } from '../../../src/api/pages/page-data.ts';
import { durationText } from '../../../src/domain/catalog/money/duration-text.ts';
import { priceText } from '../../../src/domain/catalog/money/price-text.ts';
import { offer as text } from '../../shared/text/offer.ts';
import { discountText } from './discount-text.ts';

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

interface OfferProps {
  readonly offer: OfferData;
  /** When the price is collected the next time, ISO 8601; null to leave it out. */
  readonly nextPaymentAt?: string | null;
  /** What is said about a trial. */
  readonly trial?: ReactNode;
}

/** A plan with its price. A price in an unknown token is not shown. */
export function Offer({ offer, nextPaymentAt = offer.nextPaymentAt, trial }: OfferProps) {
  const { planName, description, token, amount, maxAmount, intervalSeconds, discount } = offer;
  return (
    <>
      <h1 className="text-lg leading-6 font-medium text-soft">{planName}</h1>
      {token && (
        <p className="mt-0.5 flex flex-wrap items-baseline gap-x-2 text-soft [&>strong]:text-3xl [&>strong]:leading-10 [&>strong]:font-semibold [&>strong]:tracking-tight [&>strong]:text-ink [&>strong]:tabular-nums">
          <strong>{priceText(token, BigInt(amount))}</strong> {text.every(durationText(intervalSeconds))}
          {discount && <span>{discountText(offer)}</span>}
          {maxAmount !== amount && <span>{text.atMost(priceText(token, BigInt(maxAmount)))}</span>}
          {nextPaymentAt !== null && <span>{text.next(DAY.format(new Date(nextPaymentAt)))}</span>}
        </p>
      )}
      {discount && <TrialNote>{discount.name}</TrialNote>}
      {trial}
      {description !== null && <p className="mt-3 text-soft">{description}</p>}
    </>
  );
}

/** A note about a trial. */
export function TrialNote({
  isHidden = false,
  children,
}: {
  readonly isHidden?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <p
      hidden={isHidden}
      className="mt-2 w-fit rounded-full bg-good-ground px-2.5 py-0.5 text-sm font-semibold text-good"
    >
      {children}
    </p>
  );
}

/** The email address for questions to the merchant. */
export function SupportLine({ email }: { readonly email: string | null }) {
  if (email === null) return null;
  return (
    <p>
      {text.questions}{' '}
      <a href={`mailto:${encodeURIComponent(email)}`} className="underline">
        {email}
      </a>
    </p>
  );
}

/** The last lines of a page: ways back and help. */
export function Foot({ children }: { readonly children: ReactNode }) {
  return <div className="grid gap-1 text-center text-soft">{children}</div>;
}
