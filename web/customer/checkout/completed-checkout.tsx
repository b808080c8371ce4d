import { useEffect, useState } from 'react';
import type { CompletedCheckoutData } from '../../../src/api/pages/page-data.ts';
import { dateText } from '../../../src/domain/catalog/money/date-text.ts';
import { priceText } from '../../../src/domain/catalog/money/price-text.ts';
import { buttonClass } from '../../shared/components/button.tsx';
import { checkout } from '../../shared/text/checkout.ts';
import { dataIn, type PageView } from '../shared/document.tsx';
import { CustomerLinks } from '../shared/link-list.tsx';
import { CheckoutCard, documentOf } from './checkout-card.tsx';
import { Tick } from './tick.tsx';

const text = checkout.result;
const POLL_INTERVAL_MS = 3_000;
/** Maximum interval between requests. The interval grows while the page cannot be read. */
const MAX_INTERVAL_MS = 60_000;

/**
 * What was paid, what comes next, and where the customer can go from here. While the first payment is
 * being collected, the page follows it.
 */
export const completedCheckout: PageView<CompletedCheckoutData> = {
  ...documentOf,
  reloadSecondsWithoutScript: ({ isCollectedSoon }) => (isCollectedSoon ? 15 : undefined),
  hasScript: ({ isCollectedSoon }) => isCollectedSoon,
  Content: CompletedCheckout,
};

function CompletedCheckout(first: CompletedCheckoutData) {
  const data = useNewest(first);
  const { offer, company, now, payment, customerEmail, isCollectedSoon, backUrl, links } = data;
  const inAsset = (amount: string) => (offer.token ? priceText(offer.token, BigInt(amount)) : null);
  const { token } = offer;
  return (
    <CheckoutCard data={data} isForShown={false}>
      <div role="status">
        <h2 className="flex items-center gap-2.5 text-lg font-semibold">
          <Tick className="size-8" />
          {titleOf(now)}
        </h2>
        <State now={now} price={token && inAsset(offer.amount)} isCollectedSoon={isCollectedSoon} />
        <dl className="mt-4 grid grid-cols-[fit-content(50%)_1fr] gap-x-4 gap-y-1.5 tabular-nums [&>dt]:text-soft">
          {payment && (
            <>
              <dt>{text.paid}</dt>
              <dd>{text.amountOn(inAsset(payment.amount), dayText(payment.paidAt))}</dd>
            </>
          )}
          {now && <Next now={now} price={inAsset(offer.amount)} />}
          <dt>{checkout.for}</dt>
          <dd>{customerEmail}</dd>
        </dl>
      </div>
      {backUrl !== null && (
        <a href={backUrl} className={buttonClass('primary', 'mt-4 min-h-11 w-full')}>
          {text.back(company.name)}
        </a>
      )}
      <CustomerLinks company={company} links={links} />
    </CheckoutCard>
  );
}

type Now = NonNullable<CompletedCheckoutData['now']>;

function titleOf(now: Now | null): string {
  if (now === null) return text.complete;
  if (now.status === 'CANCELLED') return text.cancelled;
  if (now.status === 'EXPIRED') return text.expired;
  return text.subscribed;
}

interface StateProps {
  readonly now: Now | null;
  readonly price: string | null;
  readonly isCollectedSoon: boolean;
}

/** Says what becomes of a payment that is due. */
function State({ now, price, isCollectedSoon }: StateProps) {
  const payment = text.payment(price);
  if (now?.status === 'PAST_DUE') return <p className="mt-3 text-soft">{text.pastDue(payment)}</p>;
  if (!now?.isDue) return null;
  return (
    <p className="mt-3 text-soft">
      {text.collecting(payment)}
      {isCollectedSoon && ` ${text.inAMoment}`}
    </p>
  );
}

/** The next payment, or the end. */
function Next({ now, price }: { readonly now: Now; readonly price: string | null }) {
  const { nextPaymentAt, accessUntil, isDue, isUnpaid } = now;
  if (nextPaymentAt === null) {
    return (
      accessUntil !== null && (
        <>
          <dt>{text.accessUntil}</dt>
          <dd>{dayText(accessUntil)}</dd>
        </>
      )
    );
  }
  return (
    !isDue && (
      <>
        <dt>{isUnpaid ? text.first : text.next}</dt>
        <dd>{text.amountOn(price, dayText(nextPaymentAt))}</dd>
      </>
    )
  );
}

/** A date that is not broken into two lines. */
function dayText(at: string): string {
  return dateText(new Date(at)).replaceAll(' ', '\u00a0');
}

/** The data of the page, read again until the first payment is collected. */
function useNewest(first: CompletedCheckoutData): CompletedCheckoutData {
  const [data, setData] = useState(first);
  const { isCollectedSoon } = data;
  useEffect(() => {
    if (!isCollectedSoon) return undefined;
    let waitMs = POLL_INTERVAL_MS;
    const update = async () => {
      const next = await readPage();
      if (next) setData(next);
      waitMs = next ? POLL_INTERVAL_MS : Math.min(2 * waitMs, MAX_INTERVAL_MS);
      timer = setTimeout(update, waitMs);
    };
    let timer = setTimeout(update, waitMs);
    return () => clearTimeout(timer);
  }, [isCollectedSoon]);
  return data;
}

/** The data of this page as it is now; undefined if it cannot be read. */
async function readPage(): Promise<CompletedCheckoutData | undefined> {
  const response = await fetch(location.href, { cache: 'no-store' }).catch(() => undefined);
  if (!response?.ok) return undefined;
  const page = dataIn(new DOMParser().parseFromString(await response.text(), 'text/html'));
  return page?.name === 'completedCheckout' ? page.data : undefined;
}
