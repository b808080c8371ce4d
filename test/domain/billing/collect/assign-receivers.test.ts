import type { Address } from '@solana/kit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { packPulls } from '../../../../src/chain/transactions/pack-pulls.ts';
import { assignReceivers } from '../../../../src/domain/billing/collect/assign-receivers.ts';
import { anyPulls, pullOf } from '../../../chain/any-pulls.ts';
import { USDC } from '../../../chain/world.ts';

const PACKING = { signers: [USDC], version: 1, maxPulls: 19 } as const;

/** Payments of a merchant with so many accounts. Account 0 is the one that packing knows. */
function paymentOf(pull: ReturnType<typeof pullOf>, accounts: number) {
  const others = Array.from({ length: accounts - 1 }, (_, n) => `${pull.receiver} ${n + 2}` as Address);
  return { pull, receivingAccounts: [pull.receiverTokenAccount, ...others] };
}

const anyPacks = fc.tuple(anyPulls, fc.array(fc.integer({ min: 1, max: 8 }), { minLength: 4, maxLength: 4 }));
/** The merchants of `anyPulls`, by their addresses. */
const merchants = Array.from(
  { length: 4 },
  (_, receiver) => pullOf({ plan: 0, payer: 0, receiver, missing: false }).receiver,
);

test('accounts of a merchant get equal numbers of transactions, one for each', () => {
  fc.assert(
    fc.property(anyPacks, fc.nat(7), ([pulls, counts], first) => {
      const accountsOf = (receiver: Address) => counts[merchants.indexOf(receiver)] ?? 1;
      const payments = pulls.map((pull) =>
        pull.receiverIsMissing ? { pull, receivingAccounts: [] } : paymentOf(pull, accountsOf(pull.receiver)),
      );
      const packs = packPulls(payments, PACKING);
      const assigned = assignReceivers(packs, (accounts) => first % accounts);
      // Nothing but the account changes, so every transaction has the size that packing computed.
      const withoutAccount = (all: typeof packs) =>
        all.map((pack) => pack.map(({ pull: { receiverTokenAccount: _, ...pull } }) => pull));
      expect(withoutAccount(assigned)).toEqual(withoutAccount(packs));
      const transactions = new Map<Address, Map<Address, number>>();
      for (const pack of assigned) {
        const written = new Map(pack.map(({ pull }) => [pull.receiver, pull.receiverTokenAccount]));
        for (const { pull, receivingAccounts } of pack) {
          expect(written.get(pull.receiver)).toBe(pull.receiverTokenAccount);
          if (receivingAccounts.length > 0) expect(receivingAccounts).toContain(pull.receiverTokenAccount);
        }
        for (const [receiver, account] of written) {
          const ofReceiver = transactions.get(receiver) ?? new Map<Address, number>();
          transactions.set(receiver, ofReceiver.set(account, (ofReceiver.get(account) ?? 0) + 1));
        }
      }
      for (const [receiver, used] of transactions) {
        const numbers = [...used.values()];
        const total = numbers.reduce((sum, number) => sum + number, 0);
        expect(used.size).toBe(pulls.some(missingOf(receiver)) ? 1 : Math.min(total, accountsOf(receiver)));
        expect(Math.max(...numbers) - Math.min(...numbers)).toBeLessThanOrEqual(1);
      }
    }),
  );
});

const missingOf = (receiver: Address) => (pull: ReturnType<typeof pullOf>) =>
  pull.receiver === receiver && pull.receiverIsMissing;

test.each([
  [1, 12],
  [2, 6],
  [3, 4],
  [4, 3],
  [8, 2],
])('a full batch into %i accounts is 12 transactions, which write each %i times', (accounts, most) => {
  const payments = Array.from({ length: 228 }, (_, payer) =>
    paymentOf(pullOf({ plan: 0, receiver: 0, payer, missing: false }), accounts),
  );
  const assigned = assignReceivers(packPulls(payments, PACKING));
  expect(assigned.map(({ length }) => length)).toEqual(Array(12).fill(19));
  const writes = new Map<Address, number>();
  for (const pack of assigned) {
    const written = new Set(pack.map(({ pull }) => pull.receiverTokenAccount));
    expect(written.size).toBe(1);
    for (const account of written) writes.set(account, (writes.get(account) ?? 0) + 1);
  }
  expect(writes.size).toBe(accounts);
  expect(Math.max(...writes.values())).toBe(most);
});

test('batches of one transaction begin with any of the accounts', () => {
  const payment = paymentOf(pullOf({ plan: 0, receiver: 0, payer: 0, missing: false }), 8);
  const used = Array.from({ length: 400 }, () => assignReceivers([[payment]])[0]?.[0]?.pull);
  expect(new Set(used.map((pull) => pull?.receiverTokenAccount))).toEqual(new Set(payment.receivingAccounts));
});

test('payments that are packed again may get another account', () => {
  const payment = paymentOf(pullOf({ plan: 0, receiver: 0, payer: 0, missing: false }), 3);
  const [[first] = []] = assignReceivers([[payment]], () => 1);
  const [[second] = []] = assignReceivers([[first ?? payment]], () => 2);
  expect([first, second].map((each) => each?.pull.receiverTokenAccount)).toEqual(
    payment.receivingAccounts.slice(1),
  );
});
