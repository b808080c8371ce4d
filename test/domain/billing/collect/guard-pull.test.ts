import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { guardPull } from '../../../../src/domain/billing/collect/guard-pull.ts';

// The limit is 100 in each period, and the period of the payment starts at 1,000.
const period = { periodStart: 1_000n };
const account = { periodStart: 1_000n, pulled: 0n, amount: 100n };
const facts = { amount: 40n, period, booked: 0n, isOld: false };

describe('a pull', () => {
  it.each<[string, object, object, unknown]>([
    ['is sent if the chain and the books agree', {}, {}, { kind: 'pull', amount: 40n }],
    [
      'is sent if the last pull was in an earlier period',
      { periodStart: 900n, pulled: 100n },
      {},
      { kind: 'pull', amount: 40n },
    ],
    ['is not sent if the chain has more: the transfer is searched', { pulled: 40n }, {}, { kind: 'search' }],
    ['is not sent if the chain has a little more', { pulled: 1n }, {}, { kind: 'search' }],
    ['waits if the books have more', {}, { booked: 40n }, { kind: 'wait' }],
    [
      'waits if the books have more and the account is of an earlier period',
      { periodStart: 900n },
      { booked: 1n },
      { kind: 'wait' },
    ],
    ['waits if something was pulled in a later period', { periodStart: 1_100n }, {}, { kind: 'wait' }],
    ['follows another one that both know', { pulled: 40n }, { booked: 40n }, { kind: 'pull', amount: 40n }],
    ['is cut to what is left', { pulled: 70n }, { booked: 70n }, { kind: 'pull', amount: 30n }],
    ['is not sent if nothing is left', { pulled: 100n }, { booked: 100n }, { kind: 'nothing_left' }],
    ['of half of the limit waits for a newer state', {}, { amount: 50n, isOld: true }, { kind: 'wait' }],
    [
      'of more than half is sent from an old state, because the program refuses a second one',
      {},
      { amount: 51n, isOld: true },
      { kind: 'pull', amount: 51n },
    ],
    [
      'of a plan without a readable limit waits for a newer state',
      { amount: null },
      { isOld: true },
      { kind: 'wait' },
    ],
  ])('%s', (_, changes, otherFacts, expected) => {
    expect(guardPull({ ...account, ...changes }, { ...facts, ...otherFacts })).toEqual(expected);
  });

  const units = fc.bigInt(0n, 200n);
  it('exceeds no limit, and takes nothing twice from a state that may be old', () => {
    fc.assert(
      fc.property(
        fc.record({
          limit: fc.bigInt(1n, 100n),
          shown: units,
          real: units,
          booked: units,
          amount: fc.bigInt(1n, 100n),
        }),
        fc.boolean(),
        ({ limit, shown, real, booked, amount }, isOld) => {
          const seen = { ...account, amount: limit, pulled: shown };
          const guarded = guardPull(seen, { amount, period, booked, isOld });
          if (guarded.kind !== 'pull') return;
          expect(shown).toBe(booked);
          expect(guarded.amount).toBeLessThanOrEqual(limit - shown);
          // What the node does not show yet is our own pull: then the program has no room for another.
          const isPulledAlready = isOld && real === shown + guarded.amount;
          if (isPulledAlready) expect(real + guarded.amount).toBeGreaterThan(limit);
        },
      ),
    );
  });
});
