import { generateKeyPairSigner, type TransactionPartialSigner } from '@solana/kit';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  assignFeePayers,
  type Purses,
  type UnpaidTransaction,
} from '../../../../src/domain/billing/collect/assign-fee-payers.ts';
import {
  FEE_LAMPORTS,
  FEE_PAYER_LAMPORTS,
  RESERVE_LAMPORTS,
  TOKEN_ACCOUNT_LAMPORTS,
} from '../../../../src/domain/chain-state/collector/lamport-amounts.ts';
import { pullOf } from '../../../chain/any-pulls.ts';

const signers = await Promise.all(Array.from({ length: 4 }, () => generateKeyPairSigner()));
const nameOf = (signer: TransactionPartialSigner) =>
  ['c', 'p0', 'p1', 'p2'][signers.indexOf(signer as never)];

/** The collector's lamports and those of the fee payers, above the reserve. */
function pursesOf(collector: bigint, ...feePayers: bigint[]): Purses {
  const [first, ...others] = [collector, ...feePayers].map((lamports, index) => ({
    signer: signers[index] as TransactionPartialSigner,
    lamports: RESERVE_LAMPORTS + lamports,
  }));
  return { collector: first as Purses['collector'], feePayers: others };
}

function transactionOf(number: number, { missing = false, computeUnits = 0 } = {}): UnpaidTransaction {
  const pull = pullOf({ plan: 0, receiver: number, payer: number, missing });
  return {
    payments: [{ pull, period: { dueAt: BigInt(number) } as never }],
    computeUnits,
    price: 1_000_000n,
  };
}

const transactions = (count: number) => Array.from({ length: count }, (_, number) => transactionOf(number));
const RICH = 10n ** 9n;
const TWO_FEES = 2n * FEE_PAYER_LAMPORTS;

it.each([
  ['without fee payers the collector pays', pursesOf(RICH), 0, 3, ['c', 'c', 'c']],
  ['fee payers pay in turn', pursesOf(RICH, RICH, RICH, RICH), 0, 4, ['p0', 'p1', 'p2', 'p0']],
  ['another fee payer may begin', pursesOf(RICH, RICH, RICH, RICH), 2, 4, ['p2', 'p0', 'p1', 'p2']],
  ['one with too little SOL is skipped', pursesOf(RICH, RICH, 1n, RICH), 0, 4, ['p0', 'p2', 'p0', 'p2']],
  ['one pays while it can', pursesOf(RICH, RICH, TWO_FEES), 0, 6, ['p0', 'p1', 'p0', 'p1', 'p0', 'p0']],
  ['then the collector pays', pursesOf(RICH, TWO_FEES), 0, 3, ['p0', 'p0', 'c']],
  ['an empty collector pays nothing', pursesOf(0n, TWO_FEES), 0, 3, ['p0', 'p0']],
] as const)('%s', (_, purses, first, count, expected) => {
  const { paid, unpaid } = assignFeePayers(purses, transactions(count), first);
  expect(paid.map(({ feePayer }) => nameOf(feePayer))).toEqual(expected);
  expect(unpaid).toHaveLength(count - expected.length);
});

it('the longest overdue transactions are paid first', () => {
  const [late, later] = [transactionOf(2), transactionOf(1)];
  const { paid, unpaid } = assignFeePayers(pursesOf(FEE_LAMPORTS), [late, later], 0);
  expect(paid).toMatchObject([{ payments: later.payments }]);
  expect(unpaid).toEqual([late]);
});

it('the collector pays for transactions that create token accounts', () => {
  const creating = transactionOf(0, { missing: true });
  const cost = FEE_LAMPORTS + TOKEN_ACCOUNT_LAMPORTS;
  const rich = assignFeePayers(pursesOf(cost, RICH), [creating, transactionOf(1)], 0);
  expect(rich.paid.map(({ feePayer }) => nameOf(feePayer))).toEqual(['c', 'p0']);
  const poor = assignFeePayers(pursesOf(cost - 1n, RICH), [creating, transactionOf(1)], 0);
  expect(poor.unpaid).toEqual([creating]);
  expect(poor.needed).toBe(RESERVE_LAMPORTS + cost);
});

it('nobody spends more than the balance above the reserve', () => {
  const anyLamports = fc.bigInt({ min: 0n, max: 200_000n });
  const anyTransactions = fc.array(
    fc.record({ missing: fc.boolean(), computeUnits: fc.integer({ min: 0, max: 20_000 }) }),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(
      anyLamports,
      fc.array(anyLamports, { maxLength: 3 }),
      anyTransactions,
      (own, others, costs) => {
        const all = costs.map((cost, number) => transactionOf(number, cost));
        const { paid, unpaid } = assignFeePayers(pursesOf(own, ...others), all, 0);
        expect(paid.length + unpaid.length).toBe(all.length);
        for (const [index, lamports] of [own, ...others].entries()) {
          const spent = paid
            .filter(({ feePayer }) => feePayer === signers[index])
            .map(({ computeUnits, payments }) => {
              const rent = payments[0]?.pull.receiverIsMissing ? TOKEN_ACCOUNT_LAMPORTS : 0n;
              return (index === 0 ? FEE_LAMPORTS : FEE_PAYER_LAMPORTS) + BigInt(computeUnits) + rent;
            });
          expect(spent.reduce((sum, fee) => sum + fee, 0n)).toBeLessThanOrEqual(lamports);
        }
      },
    ),
  );
});
