import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi, Link } from '@tanstack/react-router';
import { graphql } from '../../../shared/api/graphql.ts';
import { askOptions } from '../../../shared/api/query.ts';
import { Card } from '../../../shared/components/card.tsx';
import { ShortId } from '../../../shared/components/copy-button.tsx';
import { type Column, DataTable, rowLinkClass } from '../../../shared/components/data-table.tsx';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { Facts } from '../../../shared/components/facts.tsx';
import { Loaded } from '../../../shared/components/loaded.tsx';
import { NewestPayments } from '../../../shared/components/newest-payments.tsx';
import { OnChain } from '../../../shared/components/on-chain.tsx';
import { Page } from '../../../shared/components/page.tsx';
import { StatusBadge } from '../../../shared/components/status-badge.tsx';
import { Summary } from '../../../shared/components/summary.tsx';
import { waitingTitle } from '../../../shared/components/waiting-title.ts';
import { Amount, Amounts } from '../../../shared/money/amount.tsx';
import { customers as text } from '../../../shared/text/customers.ts';
import { subscriptions as subscriptionsText } from '../../../shared/text/subscriptions.ts';
import { formatInterval } from '../../../shared/time/duration.ts';
import { DateOnly, RelativeTime, Time } from '../../../shared/time/time.tsx';
import { MissingPage } from '../../shell/page-failed.tsx';
import { AccessCard, CUSTOMER_ACCESS, stateIdOf } from './access-card.tsx';
import { BillingCard } from './billing-card.tsx';
import type { CustomerDetail } from './customer-detail.ts';
import { EditEmail } from './edit-email.tsx';

const CUSTOMER = graphql(/* GraphQL */ `
  query CustomerPage($id: ID!) {
    customer(id: $id) {
      id
      email
      customerId
      walletAddress
      createdAt
      billingName
      billingAddress
      taxId
      totalPaid {
        mint
        amount
        asset {
          mint
          symbol
          decimals
        }
      }
      nextCharge {
        at
        amount {
          mint
          amount
          asset {
            mint
            symbol
            decimals
          }
        }
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
            failureCode
            subscription {
              plan {
                name
                mint
                asset {
                  mint
                  symbol
                  decimals
                }
              }
            }
          }
        }
      }
      subscriptions(first: 25) {
        totalCount
        edges {
          node {
            lifeId
            status
            createdAt
            nextPaymentAt
            nextAmount
            paymentCount
            plan {
              name
              mint
              asset {
                mint
                symbol
                decimals
              }
              interval
            }
          }
        }
      }
    }
  }
`);

type Subscription = CustomerDetail['subscriptions']['edges'][number]['node'];

export const route = createLazyRoute('/app/customers/$id')({ component: CustomerPage });

const api = getRouteApi('/app/customers/$id');

const COLUMNS: readonly Column<Subscription>[] = [
  {
    header: subscriptionsText.plan,
    cell: ({ lifeId, nextAmount, plan: { name, mint, asset, interval } }) => (
      <>
        <Link to="/subscriptions/$id" params={{ id: lifeId }} className={rowLinkClass}>
          {name}
        </Link>
        <span className="block text-xs text-soft">
          <Amount amount={nextAmount} mint={mint} asset={asset} /> {formatInterval(interval)}
        </span>
      </>
    ),
  },
  { header: subscriptionsText.status, cell: ({ status }) => <StatusBadge status={status} /> },
  {
    header: subscriptionsText.nextPayment,
    cell: ({ nextPaymentAt }) =>
      nextPaymentAt ? <RelativeTime at={nextPaymentAt} /> : <span className="text-soft">–</span>,
  },
  {
    header: subscriptionsText.paid,
    align: 'end',
    cell: ({ paymentCount }) => subscriptionsText.payments(paymentCount),
  },
  { header: subscriptionsText.created, wideOnly: true, cell: ({ createdAt }) => <DateOnly at={createdAt} /> },
];

function CustomerPage() {
  const { id } = api.useParams();
  const { data, error, refetch } = useQuery(askOptions(CUSTOMER, { id }, { live: ['subscription.'] }));
  const customer = data?.customer;
  if (data && !customer) return <MissingPage />;
  return (
    <Page
      list="customers"
      title={customer?.email ?? waitingTitle(error)}
      actions={customer && <EditEmail customer={customer} />}
      queries={[
        { document: CUSTOMER, variables: { id } },
        ...(customer ? [{ document: CUSTOMER_ACCESS, variables: { customerId: stateIdOf(customer) } }] : []),
      ]}
    >
      <Loaded thing={customer} error={error} onRetry={refetch}>
        {(customer) => (
          <>
            <AccessCard customer={customer} />
            <HowMuch customer={customer} />
            <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
              <div className="grid min-w-0 gap-4">
                <Card title={text.subscriptions} flush>
                  <DataTable
                    label={text.subscriptions}
                    columns={COLUMNS}
                    rows={customer.subscriptions.edges.map(({ node }) => node)}
                    rowKey={({ lifeId }) => lifeId}
                    isInCard
                    empty={
                      <EmptyState icon="subscriptions" title={text.noSubscriptions}>
                        {text.noSubscriptionsHint}
                      </EmptyState>
                    }
                  />
                </Card>
                <NewestPayments
                  payments={customer.payments}
                  filter={{ customer: customer.email }}
                  tokenOf={({ subscription: { plan } }) => plan}
                  column={{
                    header: subscriptionsText.plan,
                    cell: ({ subscription }) => subscription.plan.name,
                  }}
                />
              </div>
              <div className="grid min-w-0 gap-4">
                <Card title={text.details}>
                  <Facts
                    facts={[
                      {
                        label: text.receipts,
                        value: (
                          <Link to="/receipts" search={{ customer: customer.email }}>
                            {text.viewReceipts}
                          </Link>
                        ),
                      },
                      {
                        label: text.customerId,
                        value: customer.customerId && (
                          <code className="font-mono text-[0.8125rem]">{customer.customerId}</code>
                        ),
                      },
                      {
                        label: text.wallet,
                        value: <OnChain kind="address" value={customer.walletAddress} />,
                      },
                      { label: text.created, value: <Time at={customer.createdAt} /> },
                      { label: text.id, value: <ShortId value={customer.id} /> },
                    ]}
                  />
                </Card>
                <BillingCard customer={customer} />
              </div>
            </div>
          </>
        )}
      </Loaded>
    </Page>
  );
}

function HowMuch({
  customer: { totalPaid, nextCharge, subscriptions },
}: {
  readonly customer: CustomerDetail;
}) {
  return (
    <Summary
      facts={[
        { label: text.totalPaid, value: <Amounts amounts={totalPaid} />, hint: text.beforeRefunds },
        {
          label: text.nextCharge,
          value: nextCharge ? <Amount {...nextCharge.amount} /> : text.noNextCharge,
          hint: nextCharge && (
            <>
              <DateOnly at={nextCharge.at} />, <RelativeTime at={nextCharge.at} />
            </>
          ),
        },
        { label: text.subscriptions, value: new Intl.NumberFormat().format(subscriptions.totalCount) },
      ]}
    />
  );
}
