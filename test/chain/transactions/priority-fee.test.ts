import { describe, expect, test } from 'vitest';
import { percentile, priorityFeeAfter } from '../../../src/chain/transactions/priority-fee.ts';

describe('the fees of recent blocks', () => {
  test.each([
    ['no block has fees', [], 0n],
    ['no transaction pays a fee', [0n, 0n, 0n, 0n], 0n],
    ['three of four blocks would accept the fee', [40n, 10n, 30n, 20n], 30n],
    ['one block was expensive', [0n, 0n, 0n, 1_000_000n], 0n],
  ])('%s', (_, recent, fee) => {
    expect(percentile(recent)).toBe(fee);
  });
});

describe('the priority fee that gets a transaction into a block', () => {
  test.each([
    ['recent blocks have no fees: the minimum', 0, 0n, 10n, 100n, 10n],
    ['recent blocks have more than the minimum', 0, 30n, 10n, 100n, 30n],
    ['recent blocks have more than the maximum: the maximum', 0, 500n, 10n, 100n, 100n],
    ['one transaction of the payment has expired: four times the minimum', 1, 0n, 10n, 100n, 40n],
    ['one has expired, and recent blocks have fees: four times those', 1, 20n, 10n, 100n, 80n],
    ['two have expired: the maximum', 2, 0n, 10n, 100n, 100n],
    ['very many have expired: the maximum', 1_000_000_000, 0n, 10n, 100n, 100n],
    ['very many have expired, and the price is 0: the maximum', 1_000, 0n, 0n, 100n, 100n],
    ['the maximum is 0', 3, 500n, 10n, 0n, 0n],
    ['the maximum is below the minimum: the maximum', 0, 0n, 10n, 5n, 5n],
  ])('%s', (_, expiries, recent, minPriorityFee, maxPriorityFee, price) => {
    expect(priorityFeeAfter(expiries, recent, { minPriorityFee, maxPriorityFee })).toBe(price);
  });
});
