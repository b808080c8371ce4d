import { expectedAccounts } from '../../indexer/repair/expected-accounts.ts';
import type { AppContext } from '../../src/app.ts';
import { findClosedKeys } from '../../src/domain/accounts/api-key/find-closed-keys.ts';
import { findEndedSessions } from '../../src/domain/accounts/sign-in/find-ended-sessions.ts';
import { claimDue, countDue } from '../../src/domain/billing/collect/claim-due.ts';
import { countInFlight } from '../../src/domain/billing/collect/count-in-flight.ts';
import { enqueueDuePayments } from '../../src/domain/billing/collect/enqueue-due-payments.ts';
import { retryNow, watchedTokenAccounts } from '../../src/domain/billing/collect/retry-now.ts';
import { followTransactions } from '../../src/domain/billing/follow/follow-transactions.ts';
import { makeStuckDue } from '../../src/domain/billing/follow/make-stuck-due.ts';
import { foldSubscriptionCounts } from '../../src/domain/billing/read/count-subscriptions.ts';
import { finalizePayments } from '../../src/domain/billing/settle/finalize-payments.ts';
import { settleWaitingTransfers } from '../../src/domain/billing/settle/settle-waiting-transfers.ts';
import { withWaitingCheckout } from '../../src/domain/checkout/completion/waiting-checkouts.ts';
import { expireSessions } from '../../src/domain/checkout/session/expire-sessions.ts';
import { foldChanges } from '../../src/domain/insight/metrics/fold-changes.ts';
import { upkeepWaiting } from '../../src/domain/maintenance/upkeep/upkeep-waiting.ts';
import { lastPositions, readEvents, streamBounds } from '../../src/domain/messages/event/read-events.ts';
import { claimDeliveries } from '../../src/domain/messages/webhook/delivery/claim-deliveries.ts';
import { dueEndpoints } from '../../src/domain/messages/webhook/delivery/due-endpoints.ts';
import { nextAttemptTimes } from '../../src/domain/messages/webhook/delivery/next-attempt-times.ts';
import { purgeDeliveries } from '../../src/domain/messages/webhook/delivery/purge-deliveries.ts';
import { paymentsWaiting } from '../../src/operations/work-waiting.ts';
import { ADDRESS, type GrownMerchant, WALLET } from './seed.ts';

/** A group of queries that dues runs. */
export interface BenchQuery {
  readonly name: string;
  run(): Promise<unknown>;
}

/**
 * The queries of timers on tables that grow. There is no chain, so a timer's work ends at its first
 * call of the chain.
 */
export function listTimerQueries(ctx: AppContext, { scope, id, endpointId }: GrownMerchant): BenchQuery[] {
  const { db } = ctx;
  const endpointIds = [endpointId];
  // Jobs are not added, because the statements of the queue are those of BullMQ.
  const noJobs = { addMany: () => Promise.resolve() } as unknown as AppContext['jobs'];
  const topUp = {
    tokenAccount: 'tokens-100',
    balance: 10_000_000n,
    subscriptions: [],
    slot: 0n,
    isFirstLook: false,
  };
  const candidates = [{ account: { plan: 'plan-1', subscriber: 'wallet-5' } }];
  const queries: Record<string, () => Promise<unknown>> = {
    'due payments counted': () => countDue(ctx, 'TEST', 1_000),
    'due payments enqueued': () => enqueueDuePayments({ ...ctx, jobs: noJobs }, 'TEST'),
    'upkeep enqueued': () => upkeepWaiting(ctx),
    'due payments claimed': () => claimDue(ctx, 'TEST', 228),
    'due payments claimed in shares': () => claimDue(ctx, 'TEST', 20),
    'transactions in flight': () => countInFlight(ctx, 'TEST', 4_096),
    'transactions followed': () => followTransactions(ctx, 'TEST'),
    'payments finalized': () => finalizePayments(ctx, 'TEST'),
    'stuck subscriptions made due': () => makeStuckDue(ctx, 'TEST'),
    'waiting transfers settled': () => settleWaitingTransfers(ctx, 'TEST'),
    'payers watched': () => watchedTokenAccounts(ctx, 'TEST'),
    'payments due after a top-up': () => retryNow(ctx, 'TEST', topUp),
    'payments waiting': () => paymentsWaiting(ctx, 'TEST'),
    'sessions expired': () => expireSessions(ctx),
    'checkouts waiting': () => withWaitingCheckout(ctx, 'TEST', candidates as never),
    'days folded': () => foldChanges(ctx),
    'counts folded': () => foldSubscriptionCounts(ctx),
    'keys closed': () => findClosedKeys(ctx, [id('event', 1)]),
    'sessions ended': () => findEndedSessions(ctx, [id('event', 1)]),
    'deliveries claimed': () =>
      claimDeliveries(ctx, {
        visits: new Map(endpointIds.map((endpointId) => [endpointId, new Set([0])])),
        free: 64,
        inFlight: [],
        busy: new Map(),
        busyMerchants: new Map(),
      }),
    'next deliveries of an endpoint': () => nextAttemptTimes(ctx, endpointIds),
    'deliveries enqueued': () => dueEndpoints(ctx),
    'deliveries purged': () => purgeDeliveries(ctx, { batches: 1 }),
    'next events read': () => readEvents(db, scope, 1_000n, 100),
    'ends of a stream': () => streamBounds(db, scope),
    'ends of streams': () => lastPositions(db, [scope]),
    'accounts expected': async () => void (await expectedAccounts(ctx, 'TEST').next()),
  };
  return Object.entries(queries).map(([name, run]) => ({ name, run }));
}

const SUBSCRIPTION = 'id status walletAddress nextPaymentAt customer { email } plan { planId amount }';

/** Every list of the API with every filter: the first page, and one from the middle. */
export function listMerchantQueries(
  url: string,
  { apiKey, id, endpointId }: GrownMerchant,
  n: number,
): BenchQuery[] {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const graphql = async (query: string) => {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ query }),
    });
    const body = await response.text();
    if (response.status !== 200 || body.includes('"errors"')) throw new Error(`${query}: ${body}`);
  };
  const day = `from: "${new Date(Date.now() - n * 1000).toISOString()}", to: "${new Date(Date.now() - (n - 3600) * 1000).toISOString()}"`;
  const hour = day.replaceAll(': "', '=').replaceAll('"', '').replaceAll(', ', '&');
  const lists: readonly (readonly [
    name: string,
    filters: readonly string[],
    fields: string,
    middle: string,
  ])[] = [
    [
      'payments',
      ['', 'status: FAILED', 'status: SUCCEEDED', 'planId: "plan-2"', `subscriptionId: "${ADDRESS}"`, day],
      'id status amount',
      id('payment', n),
    ],
    [
      'receipts',
      ['', 'customer: "customer-77@example.com"', `subscriptionId: "${ADDRESS}"`, 'number: 5', day],
      'number url payment { refundedAmount }',
      id('payment', n + 1),
    ],
    ['refunds', ['', 'status: PENDING', 'status: SUCCEEDED', day], 'id status', ''],
    [
      'events',
      [
        ...['', 'type: "subscription.payment_failed"', 'type: "subscription.payment_succeeded"'],
        ...['type: "subscription.expired"', `subscriptionId: "${ADDRESS}"`, day],
      ],
      'id type',
      id('event', n),
    ],
    [
      'webhookDeliveries',
      [
        ...[
          '',
          'status: FAILED',
          'status: PENDING',
          'status: SUCCEEDED',
          `subscriptionId: "${ADDRESS}"`,
          day,
        ],
        ...[`endpointId: "${endpointId}"`, `eventId: "${id('event', 5)}"`],
        ...[`endpointId: "${endpointId}", status: FAILED`],
        ...['statusCode: 503', `endpointId: "${endpointId}", statusCode: 503`, 'statusCode: 200'],
        ...['eventType: "subscription.payment_failed"', 'eventType: "subscription.payment_succeeded"'],
      ],
      'id status',
      id('delivery', Math.floor(n / 2)),
    ],
    [
      'customers',
      ['', 'search: "customer-777"', 'search: "customer-"', `search: "${WALLET}"`, day],
      'id email',
      id('customer', Math.floor(n / 2)),
    ],
    [
      'subscriptionsConnection',
      [
        ...['', 'filter: { status: PAST_DUE }', 'filter: { status: ACTIVE }', 'filter: { planId: "plan-2" }'],
        ...[`filter: { walletAddress: "${WALLET}" }`, 'filter: { customer: "customer-77@example.com" }'],
        ...[
          'filter: { search: "customer-77@example.com" }',
          'filter: { search: "nobody" }',
          `filter: { ${day} }`,
        ],
      ],
      SUBSCRIPTION,
      id('subscription', Math.floor(n / 2)),
    ],
  ];
  const listQueries: BenchQuery[] = lists.flatMap(([list, filters, fields, middle]) =>
    filters.flatMap((filter) => {
      const page = (cursor: string) => () => {
        const args = [filter, 'first: 20', cursor].filter((argument) => argument !== '').join(', ');
        return graphql(`{ ${list}(${args}) { edges { cursor node { ${fields} } } } }`);
      };
      const after = Buffer.from(`GPC:S:${middle}`).toString('base64');
      const name = `${list} ${filter.replaceAll(/"[0-9T:.Z-]+"/g, '…')}`.trim();
      return [
        { name, run: page('') },
        ...(middle === '' ? [] : [{ name: `${name}, from the middle`, run: page(`after: "${after}"`) }]),
      ];
    }),
  );
  const rest = async (path: string) => {
    const response = await fetch(`${url}${path}`, { headers });
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    await response.arrayBuffer();
  };
  return [
    ...listQueries,
    ...['payments', 'subscriptions', 'customers', 'events'].map((kind) => ({
      name: `export of ${kind}`,
      run: () => rest(`/api/exports/${kind}.csv?${hour}`),
    })),
    { name: 'REST subscriptions', run: () => rest('/api/subscriptions') },
    { name: 'REST subscriptions, page 50', run: () => rest('/api/subscriptions?page=50') },
    { name: 'subscription', run: () => graphql(`{ subscription(id: "${ADDRESS}") { ${SUBSCRIPTION} } }`) },
    { name: 'checkoutSession', run: () => graphql('{ checkoutSession(id: "cs_5") { id status } }') },
    {
      name: 'checkout sessions of subscriptions',
      run: () => graphql('{ subscriptions(limit: 20) { data { id checkoutSession { id status } } } }'),
    },
    {
      name: 'checkout session of a subscription',
      run: () => graphql(`{ subscription(id: "${ADDRESS}") { id checkoutSession { id status } } }`),
    },
    { name: 'plans', run: () => graphql('{ plans(first: 20) { edges { node { planId } } } }') },
    { name: 'eventsCursor', run: () => graphql('{ eventsCursor }') },
    {
      name: 'metrics',
      run: () => graphql('{ metrics(from: "2026-10-01", to: "2026-11-01") { __typename } }'),
    },
  ];
}
