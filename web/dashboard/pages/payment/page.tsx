import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi, Link } from '@tanstack/react-router';
import { graphql } from '../../../shared/api/graphql.ts';
import { askOptions } from '../../../shared/api/query.ts';
import { RECEIPT, useReceiptUpdates } from '../../../shared/api/use-receipt-updates.ts';
import { Badge } from '../../../shared/components/badge.tsx';
import { Card } from '../../../shared/components/card.tsx';
import { ShortId } from '../../../shared/components/copy-button.tsx';
import { type Column, DataTable } from '../../../shared/components/data-table.tsx';
import { Facts } from '../../../shared/components/facts.tsx';
import { Loaded } from '../../../shared/components/loaded.tsx';
import { OnChain } from '../../../shared/components/on-chain.tsx';
import { Page } from '../../../shared/components/page.tsx';
import { PaymentAmount, PaymentStatusCell } from '../../../shared/components/payment-cells.tsx';
import { Summary } from '../../../shared/components/summary.tsx';
import { waitingTitle } from '../../../shared/components/waiting-title.ts';
import { Amount } from '../../../shared/money/amount.tsx';
import { refundedPart, shownAmount } from '../../../shared/money/refunded.ts';
import { payment as text } from '../../../shared/text/payments.ts';
import { refund as refundText } from '../../../shared/text/refunds.ts';
import { failures } from '../../../shared/text/statuses.ts';
import { DateOnly, Time } from '../../../shared/time/time.tsx';
import { MissingPage } from '../../shell/page-failed.tsx';
import { DELIVERY, useDeliveryUpdates } from '../webhooks/use-delivery-updates.ts';
import { LinesCard } from './lines-card.tsx';
import { MailsCard } from './mails-card.tsx';
import { amountOf, type PaymentDetail } from './payment.ts';
import { RefundButton, RefundsCard } from './refunds-card.tsx';
import { WebhooksCard } from './webhooks-card.tsx';

const PAYMENT = graphql(/* GraphQL */ `
  query PaymentPage($id: ID!) {
    payment(id: $id) {
      id
      status
      amount
      paidAmount
      lines {
        kind
        text
        amount
      }
      number
      dueAt
      periodEnd
      paidAt
      finalized
      collectedByUs
      feeLamports
      signature
      refundedAmount
      excessRefundedAmount
      refundableAmount
      refunds {
        id
        status
        amount
        reason
        signature
        solanaPayUrl
        inFlight
        sentSignature
        excess {
          signature
          amount
        }
        createdAt
      }
      receipt {
        number
        url
      }
      attempts {
        status
        createdAt
        settledAt
        failureCode
        amountRequired
        balanceAvailable
      }
      mails {
        id
        template
        recipient
        status
        error
        createdAt
        sentAt
      }
      customer {
        id
        email
      }
      subscription {
        lifeId
        walletAddress
        plan {
          planId
          name
          mint
          merchant {
            walletAddress
          }
          asset {
            mint
            symbol
            decimals
          }
        }
      }
    }
    events(filter: { paymentId: $id }, first: 20) {
      totalCount
      edges {
        node {
          id
          type
          createdAt
          deliveries {
            id
            status
            lastStatusCode
            endpoint {
              url
            }
          }
        }
      }
    }
  }
`);

type Attempt = PaymentDetail['attempts'][number];

export const route = createLazyRoute('/app/payments/$id')({ component: PaymentPage });

const api = getRouteApi('/app/payments/$id');

function PaymentPage() {
  const { id } = api.useParams();
  useReceiptUpdates();
  useDeliveryUpdates(null);
  const { data, error, refetch } = useQuery(
    askOptions(PAYMENT, { id }, { live: ['subscription.', 'payment.', RECEIPT, DELIVERY] }),
  );
  const payment = data?.payment;
  if (data && !payment) return <MissingPage />;
  return (
    <Page
      list="payments"
      title={
        payment
          ? text.title[payment.status](amountOf(payment, shownAmount(payment)), payment.customer.email)
          : waitingTitle(error)
      }
      description={
        payment && (
          <span className="inline-flex flex-wrap items-center gap-2">
            <PaymentStatusCell {...payment} /> {stateOf(payment)}
          </span>
        )
      }
      actions={payment?.status === 'SUCCEEDED' && <RefundButton payment={payment} />}
      queries={[{ document: PAYMENT, variables: { id } }]}
    >
      <Loaded thing={payment && { payment, events: data.events }} error={error} onRetry={refetch}>
        {({ payment, events }) => (
          <>
            <WhoAndHowMuch payment={payment} />
            <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
              <div className="grid min-w-0 gap-4">
                <LinesCard payment={payment} />
                <RefundsCard payment={payment} />
                <Attempts payment={payment} />
                <WebhooksCard events={events} />
                <MailsCard mails={payment.mails} />
              </div>
              <Details payment={payment} />
            </div>
          </>
        )}
      </Loaded>
    </Page>
  );
}

function stateOf(payment: PaymentDetail): string {
  const part = refundedPart(shownAmount(payment), payment.refundedAmount);
  return part ? text.refunds[part] : text.states[payment.status];
}

function WhoAndHowMuch({ payment }: { readonly payment: PaymentDetail }) {
  const { amount, paidAmount, refundedAmount, dueAt, periodEnd, receipt, customer } = payment;
  const { plan, lifeId } = payment.subscription;
  return (
    <Summary
      facts={[
        {
          label: text.customer,
          value: (
            <Link to="/customers/$id" params={{ id: customer.id }}>
              {customer.email}
            </Link>
          ),
        },
        {
          label: text.amount,
          value: <PaymentAmount {...{ amount, paidAmount, refundedAmount }} {...plan} />,
          hint: (
            <Link to="/subscriptions/$id" params={{ id: lifeId }}>
              {text.subscriptionTo(plan.name)}
            </Link>
          ),
        },
        {
          label: text.period,
          value: (
            <>
              <DateOnly at={dueAt} /> – <DateOnly at={periodEnd} />
            </>
          ),
        },
        {
          label: text.receipt,
          value: receipt ? (
            <a href={receipt.url}>{text.receiptNumber(receipt.number)}</a>
          ) : (
            <span className="font-normal text-soft">{text.noReceipt[payment.status]}</span>
          ),
        },
      ]}
    />
  );
}

const OUTCOME_TONES = { SUCCEEDED: 'good', FAILED: 'bad', SUBMITTED: 'accent', VOID: 'neutral' } as const;

function Attempts({ payment }: { readonly payment: PaymentDetail }) {
  const { plan } = payment.subscription;
  const columns: readonly Column<Attempt>[] = [
    { header: text.started, cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      header: text.outcome,
      cell: ({ status, failureCode }) => (
        <>
          <Badge tone={OUTCOME_TONES[status]}>{text.outcomes[status]}</Badge>
          {failureCode && <span className="block text-xs text-soft">{failures[failureCode]}</span>}
        </>
      ),
    },
    {
      header: text.required,
      align: 'end',
      cell: ({ amountRequired }) => <AttemptAmount amount={amountRequired} plan={plan} />,
    },
    {
      header: text.balance,
      align: 'end',
      // The balance is shown only if it is the reason of the failure.
      cell: ({ failureCode, balanceAvailable }) => (
        <AttemptAmount amount={failureCode === 'INSUFFICIENT_FUNDS' ? balanceAvailable : null} plan={plan} />
      ),
    },
  ];
  return (
    <Card title={text.attempts} description={text.attemptsHint} flush>
      <DataTable
        label={text.attempts}
        columns={columns}
        rows={payment.attempts}
        rowKey={({ createdAt }) => createdAt}
        isInCard
        empty={<p className="p-4 text-soft">{text.noAttempts}</p>}
      />
    </Card>
  );
}

interface AttemptAmountProps {
  readonly amount: string | null;
  readonly plan: PaymentDetail['subscription']['plan'];
}

function AttemptAmount({ amount, plan: { mint, asset } }: AttemptAmountProps) {
  if (amount === null) return <span className="text-soft">–</span>;
  return <Amount amount={amount} mint={mint} asset={asset} />;
}

function Details({ payment }: { readonly payment: PaymentDetail }) {
  const { signature, paidAt, feeLamports, number } = payment;
  const { refundedAmount, excessRefundedAmount } = payment;
  return (
    <Card title={text.details}>
      <Facts
        facts={[
          { label: text.number, value: number },
          { label: text.due, value: <Time at={payment.dueAt} /> },
          { label: text.paid, value: paidAt && <Time at={paidAt} /> },
          { label: text.transaction, value: signature && <OnChain kind="tx" value={signature} /> },
          { label: text.finality, value: signature && (payment.finalized ? text.final : text.notFinal) },
          { label: text.collectedBy, value: signature && (payment.collectedByUs ? text.us : text.owner) },
          { label: text.fee, value: feeLamports && text.lamports(feeLamports) },
          {
            label: refundText.refunded,
            value: refundedAmount !== '0' && amountOf(payment, refundedAmount),
          },
          {
            label: refundText.sentAgain,
            value: excessRefundedAmount !== '0' && amountOf(payment, excessRefundedAmount),
          },
          { label: text.id, value: <ShortId value={payment.id} /> },
        ]}
      />
    </Card>
  );
}
