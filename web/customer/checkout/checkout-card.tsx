import type { ReactNode } from 'react';
import type { CheckoutData } from '../../../src/api/pages/page-data.ts';
import { Card } from '../../shared/components/card.tsx';
import { checkout as text } from '../../shared/text/checkout.ts';
import { offer as offerText } from '../../shared/text/offer.ts';
import { Foot, Offer, SupportLine } from '../offer/offer.tsx';
import { Frame } from '../shared/frame.tsx';
import { TestNote } from '../shared/test-note.tsx';

/** The title and the description of the pages of a checkout. */
export const documentOf = {
  title: ({ offer, company }: CheckoutData) => offerText.titleAt(offer.planName, company.name),
  description: ({ offer, company }: CheckoutData) => offerText.description(offer.planName, company.name),
  // The URL gives access to the checkout.
  isUnlisted: true,
};

interface CheckoutCardProps {
  readonly data: CheckoutData;
  readonly trial?: ReactNode;
  /** When the wallet pays the next time, ISO 8601; by default what a new customer would. */
  readonly nextPaymentAt?: string | undefined;
  /** Facts beside the customer and the token. */
  readonly facts?: ReactNode;
  /** The way back to the shop; null if the company has named none. */
  readonly cancel?: ReactNode;
  readonly isForShown?: boolean;
  /** Shown below the card. */
  readonly terms?: ReactNode;
  readonly children: ReactNode;
}

/** The frame of a checkout: what is sold, to whom, and `children` as the state of the checkout. */
export function CheckoutCard(props: CheckoutCardProps) {
  const { data, trial, nextPaymentAt, facts, cancel, isForShown = true, terms, children } = props;
  const { company, isTest, offer, customerEmail, mint, supportEmail } = data;
  return (
    <Frame company={company}>
      {isTest && <TestNote>{offerText.testMode}</TestNote>}
      <Card>
        <Offer offer={offer} nextPaymentAt={nextPaymentAt} trial={trial} />
        {isForShown && (
          <Facts>
            <dt>{text.for}</dt>
            <dd>{customerEmail}</dd>
            {(offer.token?.name ?? null) === null && (
              <>
                <dt>{text.token}</dt>
                <dd>
                  <code className="text-sm">{mint}</code>
                </dd>
              </>
            )}
            {facts}
          </Facts>
        )}
        <div className="mt-5 border-t border-line pt-5">{children}</div>
      </Card>
      {terms}
      <Foot>
        {cancel}
        <SupportLine email={supportEmail} />
      </Foot>
    </Frame>
  );
}

/** Pairs of a label and its value, on one line each. */
export function Facts({ children }: { readonly children: ReactNode }) {
  return (
    <dl className="mt-4 grid grid-cols-[fit-content(50%)_1fr] gap-x-4 gap-y-1.5 tabular-nums [&>dd]:text-right [&>dt]:text-soft">
      {children}
    </dl>
  );
}
