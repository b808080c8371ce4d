import { describe, expect, it } from 'vitest';
import type { Payer } from '../../../../src/chain/accounts/payers.ts';
import {
  decisionAfterLandedFailure,
  spreadDelays,
} from '../../../../src/domain/billing/collect/collect-decision.ts';

const PRICE = 5n;
const FAILURE = { kind: 'payer', failureCode: 'INSUFFICIENT_FUNDS' } as const;

const payerWith = (amount: bigint) =>
  ({
    tokenAccount: { amount, delegatedAmount: PRICE },
    authority: { initId: 7n },
    subscription: { initId: 7n },
    unreadable: null,
  }) as Payer;
const fails = (balanceAvailable: bigint) => ({
  kind: 'fail',
  failure: { code: 'INSUFFICIENT_FUNDS', balanceAvailable },
});
const waits = { kind: 'later', delayMs: expect.any(Number) };

it.each([
  [5_000, 0, []],
  [5_000, 1, [5_000]],
  [5_000, 4, [3_125, 3_750, 4_375, 5_000]],
])('a delay of %i ms is spread over its second half for %i payments', (delayMs, count, delays) => {
  expect(spreadDelays(delayMs, count)).toEqual(delays);
});

describe('a pull that failed on chain, of a payer', () => {
  it.each([
    ['without the money, the first time', payerWith(4n), false, fails(4n)],
    ['without the money, again', payerWith(4n), true, fails(4n)],
    ['with the money, the first time', payerWith(6n), false, waits],
    ['with the money, again', payerWith(6n), true, fails(6n)],
    ['that cannot be read, the first time', undefined, false, waits],
    ['that cannot be read, again', undefined, true, waits],
  ])('%s', (_, payer, isRepeated, decision) => {
    expect(decisionAfterLandedFailure(FAILURE, payer, { amount: PRICE, isRepeated })).toEqual(decision);
  });
});
