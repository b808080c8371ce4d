import { describe, expect, test } from 'vitest';
import { percentile, priceAfter } from '../../../src/chain/transactions/priority-fee.ts';

describe('the fees of recent blocks', () => {
  test.each([
    ['no block has any', [], 0n],
    ['no transaction pays one', [0n, 0n, 0n, 0n], 0n],
    ['three of four blocks would take it', [40n, 10n, 30n, 20n], 30n],
    ['one block was dear', [0n, 0n, 0n, 1_000_000n], 0n],
  ])('%s', (_, recent, fee) => {
    expect(percentile(recent)).toBe(fee);
  });
});

describe('the priority fee for a place in a block', () => {
  test.each([
    ['blocks tell of nothing: the floor', 0, 0n, 10n, 100n, 10n],
    ['blocks tell of more than the floor', 0, 30n, 10n, 100n, 30n],
    ['blocks tell of more than the cap', 0, 500n, 10n, 100n, 100n],
    ['one transaction of the payment has expired', 1, 0n, 10n, 100n, 40n],
    ['it is raised from what blocks tell', 1, 20n, 10n, 100n, 80n],
    ['two have: the cap', 2, 0n, 10n, 100n, 100n],
    ['a great many have', 1_000_000_000, 0n, 10n, 100n, 100n],
    ['a great many have, and the price is nothing', 1_000, 0n, 0n, 100n, 100n],
    ['the cap is nothing', 3, 500n, 10n, 0n, 0n],
    ['the cap is below the floor', 0, 0n, 10n, 5n, 5n],
  ])('%s', (_, expiries, recent, minPriorityFee, maxPriorityFee, price) => {
    expect(priceAfter(expiries, recent, { minPriorityFee, maxPriorityFee })).toBe(price);
  });
});
