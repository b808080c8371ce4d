import { describe, expect, test } from 'vitest';
import { cappedFee } from '../../src/chain/priority-fee.ts';

describe('the price of a place in a block', () => {
  test.each([
    ['no block told of any', [], 100n, 0n],
    ['nobody pays', [0n, 0n, 0n, 0n], 100n, 0n],
    ['three of four blocks would take it', [40n, 10n, 30n, 20n], 100n, 30n],
    ['one block was dear', [0n, 0n, 0n, 1_000_000n], 100n, 0n],
    ['it is dear everywhere: the cap', [500n, 600n, 700n, 800n], 100n, 100n],
    ['the cap is nothing', [500n], 0n, 0n],
  ])('%s', (_, recent, most, fee) => {
    expect(cappedFee(recent, most)).toBe(fee);
  });
});
