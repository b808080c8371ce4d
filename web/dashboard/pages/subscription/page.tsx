import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { graphql } from '../../../shared/api/graphql.ts';
import { askOptions } from '../../../shared/api/query.ts';
import { usePermissions } from '../../../shared/api/viewer.ts';
import { Button } from '../../../shared/components/button.tsx';
import { Card } from '../../../shared/components/card.tsx';
import { ShortId } from '../../../shared/components/copy-button.tsx';
import type { Column } from '../../../shared/components/data-table.tsx';
import { Facts } from '../../../shared/components/facts.tsx';
import { JsonView } from '../../../shared/components/json-view.tsx';
import { Loaded } from '../../../shared/components/loaded.tsx';
import { NewestPayments } from '../../../shared/components/newest-payments.tsx';
import { OnChain } from '../../../shared/components/on-chain.tsx';
import { Page } from '../../../shared/components/page.tsx';
import { StatusBadge } from '../../../shared/components/status-badge.tsx';
import { waitingTitle } from '../../../shared/components/waiting-title.ts';
import { WriteButton } from '../../../shared/components/write-button.tsx';
import { Amount } from '../../../shared/money/amount.tsx';
import { labels } from '../../../shared/text/labels.ts';
import { payments } from '../../../shared/text/payments.ts';
import { pauses, subscription as text } from '../../../shared/text/subscriptions.ts';
import { formatInterval } from '../../../shared/time/duration.ts';
import { Time } from '../../../shared/time/time.tsx';
import { MissingPage } from '../../shell/page-failed.tsx';
import { CancelDialog } from './cancel-dialog.tsx';
import { DiscountCard } from './discount-card.tsx';
import { History } from './history.tsx';
import { PauseDialog } from './pause-dialogs.tsx';
import { StatusBanner } from './status-banner.tsx';
import { priceOf, type SubscriptionDetail } from './subscription-detail.ts';
import { UpcomingCard } from './upcoming-card.tsx';
import { WalletCard } from './wallet-card.tsx';

const SUBSCRIPTION = graphql(/* GraphQL */ `
  query SubscriptionPage($id: ID!) {
    subscription(id: $id) {
      id
      lifeId
      status
      createdAt
      startedAt
      trialGranted
      nextPaymentAt
      pausedFrom
      pausedUntil
      pauseKeepsAccess
      nextAmount
      limitLeft
      price {
        version
        amount
      }
      upcomingPayment {
        dueAt
        total
        lines {
          text
          amount
        }
      }
      discount {
        periodsLeft
        fullPriceAt
        discount {
          id
          name
          percentBps
          amount
        }
      }
      nextAttemptAt
      failureCount
      cancelAtPeriodEnd
      cancellationRequest {
        reason
        comment
      }
      cancelledAt
      accessUntil
      walletAddress
      metadata
      customer {
        id
        email
        customerId
      }
      plan {
        planId
        name
        amount
        maxAmount
        mint
        asset {
          mint
          symbol
          decimals
        }
        interval
        trialPeriodSeconds
      }
      payments(first: 10) {
        totalCount
        edges {
          node {
            id
            status
            amount
            paidAmount
            refundedAmount
            dueAt
            paidAt
            finalized
            failureCode
            signature
            attempts {
              status
              failureCode
              amountRequired
              balanceAvailable
            }
          }
        }
      }
    }
  }
`);

type Payment = SubscriptionDetail['payments']['edges'][number]['node'];

const TRANSACTION: Column<Payment> = {
  header: payments.transaction,
  wideOnly: true,
  cell: ({ signature }) =>
    signature ? <OnChain kind="tx" value={signature} /> : <span className="text-soft">–</span>,
};

export const route = createLazyRoute('/app/subscriptions/$id')({ component: SubscriptionPage });

const api = getRouteApi('/app/subscriptions/$id');

function SubscriptionPage() {
  const { id } = api.useParams();
  const { data, error, refetch } = useQuery(askOptions(SUBSCRIPTION, { id }, { live: ['subscription.'] }));
  const subscription = data?.subscription;
  if (data && !subscription) return <MissingPage />;
  return (
    <Page
      list="subscriptions"
      title={subscription?.customer.email ?? waitingTitle(error)}
      description={
        subscription && (
          <span className="inline-flex flex-wrap items-center gap-2">
            <StatusBadge status={subscription.status} />
            <span>
              {subscription.plan.name}
              {' · '}
              <Amount
                amount={priceOf(subscription)}
                mint={subscription.plan.mint}
                asset={subscription.plan.asset}
              />{' '}
              {formatInterval(subscription.plan.interval)}
            </span>
          </span>
        )
      }
      actions={
        subscription && (
          <>
            <Pause subscription={subscription} />
            <Cancel subscription={subscription} />
          </>
        )
      }
      queries={[{ document: SUBSCRIPTION, variables: { id } }]}
    >
      <Loaded thing={subscription} error={error} onRetry={refetch}>
        {(subscription) => (
          <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
            <div className="grid min-w-0 gap-4">
              <StatusBanner subscription={subscription} />
              <NewestPayments
                payments={subscription.payments}
                filter={{ subscription: subscription.lifeId }}
                tokenOf={() => subscription.plan}
                column={TRANSACTION}
              />
              <History id={subscription.lifeId} plan={subscription.plan} />
            </div>
            <Details subscription={subscription} />
          </div>
        )}
      </Loaded>
    </Page>
  );
}

function Cancel({ subscription }: { readonly subscription: SubscriptionDetail }) {
  const permissions = usePermissions();
  const [isOpen, setOpen] = useState(false);
  const { cancelAtPeriodEnd } = subscription;
  const reason = !permissions.write ? labels.readOnly : hasEnded(subscription) ? text.over : undefined;
  return (
    <>
      <Button disabled={reason !== undefined} title={reason} onClick={() => setOpen(true)}>
        {cancelAtPeriodEnd ? text.cancelSooner : text.cancel}
      </Button>
      {isOpen && <CancelDialog subscription={subscription} onClose={() => setOpen(false)} />}
    </>
  );
}

function Pause({ subscription }: { readonly subscription: SubscriptionDetail }) {
  const [isOpen, setOpen] = useState(false);
  if (hasEnded(subscription) || subscription.cancelAtPeriodEnd) return null;
  return (
    <>
      <WriteButton onClick={() => setOpen(true)}>{pauses.action}</WriteButton>
      {isOpen && <PauseDialog subscription={subscription} onClose={() => setOpen(false)} />}
    </>
  );
}

function hasEnded({ status }: SubscriptionDetail): boolean {
  return status === 'CANCELLED' || status === 'EXPIRED';
}

function Details({ subscription }: { readonly subscription: SubscriptionDetail }) {
  const { customer, plan, metadata } = subscription;
  const hasMetadata = Object.keys(metadata as object).length > 0;
  return (
    <div className="grid min-w-0 gap-4">
      <UpcomingCard subscription={subscription} />
      {!hasEnded(subscription) && <DiscountCard subscription={subscription} />}
      {!hasEnded(subscription) && <WalletCard subscription={subscription} />}
      <Card title={text.details}>
        <Facts
          facts={[
            {
              label: text.customer,
              value: (
                <>
                  <Link to="/customers/$id" params={{ id: customer.id }}>
                    {customer.email}
                  </Link>
                  {customer.customerId && (
                    <code className="block font-mono text-xs text-soft">{customer.customerId}</code>
                  )}
                </>
              ),
            },
            { label: text.wallet, value: <OnChain kind="address" value={subscription.walletAddress} /> },
            {
              label: text.plan,
              value: (
                <Link to="/plans/$planId" params={{ planId: plan.planId }}>
                  {plan.name}
                </Link>
              ),
            },
            {
              label: text.price,
              value: (
                <>
                  <Amount amount={priceOf(subscription)} mint={plan.mint} asset={plan.asset} />
                  {subscription.price && (
                    <span className="block text-xs text-soft">
                      {text.priceVersion(subscription.price.version)}
                    </span>
                  )}
                </>
              ),
            },
            { label: text.started, value: <Time at={subscription.startedAt} /> },
            {
              label: text.receipts,
              value: (
                <Link to="/receipts" search={{ subscription: subscription.lifeId }}>
                  {text.viewReceipts}
                </Link>
              ),
            },
            {
              label: text.webhooks,
              value: (
                <Link to="/webhooks" search={{ subscription: subscription.lifeId }}>
                  {text.viewWebhooks}
                </Link>
              ),
            },
            { label: text.address, value: <OnChain kind="address" value={subscription.id} /> },
            { label: text.id, value: <ShortId value={subscription.lifeId} /> },
          ]}
        />
      </Card>
      <Card title={text.metadata}>
        {hasMetadata ? <JsonView value={metadata} /> : <p className="text-soft">{text.noMetadata}</p>}
      </Card>
    </div>
  );
}
