import { describe, expect, it } from 'vitest';
import type { SubscriptionAccount } from '../../../../src/chain/accounts/accounts.ts';
import type { Payer } from '../../../../src/chain/accounts/payers.ts';
import {
  BLOCKED_DELAY_MS,
  CLUSTER_ERROR_DELAY_MS,
  TRANSFER_SEARCH_DELAY_MS,
} from '../../../../src/domain/billing/collect/collect-decision.ts';
import { type Circumstances, judgePayer } from '../../../../src/domain/billing/collect/judge-payer.ts';
import type { DuePayment } from '../../../../src/domain/billing/collect/prepare-payments.ts';

// The second period of a subscription that was created at 1,000 and costs 5 every 3,600 seconds.
const due = {
  subscription: {
    chainCreatedAt: 1_000n,
    anchorOffsetSeconds: 0,
    plan: { periodSeconds: 3_600, intervalSeconds: 3_600 },
  },
  payment: { amount: 5n },
  period: { index: 1n, dueAt: 4_600n, periodStart: 4_600n, periodEnd: 8_200n },
  booked: 0n,
} as DuePayment;
const funds = { amount: 5n, delegatedAmount: 5n };
const account = { initId: 7n, expiresAt: 0n, periodStart: 1_000n, pulled: 5n, amount: 5n };
const payer = { tokenAccount: funds, authority: { initId: 7n }, subscription: account, unreadable: null };
const now: Circumstances = { now: new Date(5_000_000), chainTime: 5_000n, remaining: funds, isOld: false };

const waitFor = (delayMs: number) => ({ kind: 'later', delayMs });
const withSubscription = (changes: Partial<SubscriptionAccount>) => ({
  subscription: { ...account, ...changes },
});

describe('a payer', () => {
  it.each<[string, object, Partial<Circumstances>, unknown]>([
    ['with enough tokens and an approval is pulled from', {}, {}, { kind: 'pull', amount: 5n }],
    [
      'without enough tokens fails with the balance',
      {},
      { remaining: { amount: 4n, delegatedAmount: 5n } },
      { kind: 'fail', failure: { code: 'INSUFFICIENT_FUNDS', balanceAvailable: 4n } },
    ],
    ['waits until the period begins on chain', {}, { chainTime: 4_590n }, waitFor(10_000)],
    [
      'is pulled from in the first second of the period',
      {},
      { chainTime: 4_600n },
      { kind: 'pull', amount: 5n },
    ],
    [
      'is pulled from while a transaction can land in time',
      {},
      { chainTime: 8_079n },
      { kind: 'pull', amount: 5n },
    ],
    ['waits for the next period afterwards', {}, { chainTime: 8_080n }, waitFor(3_200_000)],
    [
      'waits a few seconds if the next period has begun by the clock of dues',
      {},
      { chainTime: 8_080n, now: new Date(8_200_000) },
      waitFor(CLUSTER_ERROR_DELAY_MS),
    ],
    ['that cannot be read waits', { unreadable: new Error('unreadable') }, {}, waitFor(BLOCKED_DELAY_MS)],
    ['whose subscription is closed waits', { subscription: null }, {}, waitFor(CLUSTER_ERROR_DELAY_MS)],
    [
      'whose subscription has ended waits',
      withSubscription({ expiresAt: 5_000n }),
      {},
      waitFor(CLUSTER_ERROR_DELAY_MS),
    ],
    [
      'that has cancelled waits',
      withSubscription({ expiresAt: 8_200n }),
      {},
      waitFor(CLUSTER_ERROR_DELAY_MS),
    ],
    [
      'with a newer subscription waits',
      withSubscription({ periodStart: 4_700n }),
      {},
      waitFor(CLUSTER_ERROR_DELAY_MS),
    ],
    [
      'that is still seen with an earlier subscription waits',
      withSubscription({ periodStart: -2_600n }),
      {},
      waitFor(CLUSTER_ERROR_DELAY_MS),
    ],
    [
      'with a newer subscription that begins with the period waits',
      withSubscription({ periodStart: 4_600n, pulled: 0n }),
      {},
      waitFor(CLUSTER_ERROR_DELAY_MS),
    ],
    [
      'whose period is pulled in full is collected',
      withSubscription({ periodStart: 4_600n }),
      {},
      { kind: 'collected', delayMs: TRANSFER_SEARCH_DELAY_MS },
    ],
    [
      'from whose period a part was pulled that the books do not have is collected',
      withSubscription({ periodStart: 4_600n, pulled: 4n }),
      {},
      { kind: 'collected', delayMs: TRANSFER_SEARCH_DELAY_MS },
    ],
  ])('%s', (_, changes, circumstances, decision) => {
    const changed = { ...payer, ...changes } as unknown as Payer;
    expect(judgePayer(due, changed, { ...now, ...circumstances })).toEqual(decision);
  });
});
