import type { TransactionPartialSigner } from '@solana/kit';
import { readAccounts } from '../../../chain/accounts/read-accounts.ts';
import type { Chain } from '../../../chain/chain.ts';
import {
  FEE_LAMPORTS,
  FEE_PAYER_LAMPORTS,
  RESERVE_LAMPORTS,
  TOKEN_ACCOUNT_LAMPORTS,
} from '../../chain-state/collector/lamport-amounts.ts';
import type { PayablePayment } from './prepare-payments.ts';

const MICRO_LAMPORTS = 1_000_000n;

/** A transaction whose fee must be paid. */
export interface UnpaidTransaction {
  readonly payments: readonly Pick<PayablePayment, 'pull' | 'period'>[];
  /** The compute unit limit; 0 if it is not known yet. */
  readonly computeUnits: number;
  /** Micro-lamports per compute unit. */
  readonly price: bigint;
}

/** A signer that can pay fees, and its balance. */
export interface Purse {
  readonly signer: TransactionPartialSigner;
  readonly lamports: bigint;
}

export interface Purses {
  readonly collector: Purse;
  /** The fee payers that can pay for a transaction; none if the collector pays for all. */
  readonly feePayers: readonly Purse[];
}

/**
 * Reads the balances of the collector and the fee payers, at the chain's `minSlot` or later.
 *
 * @throws NodeBehind
 */
export async function readPurses(chain: Chain): Promise<Purses> {
  const { collector, feePayers } = chain;
  const addresses = [collector, ...feePayers].map(({ address }) => address);
  const [account, ...others] = await readAccounts(chain, addresses, 'owner');
  return {
    collector: { signer: collector, lamports: account?.lamports ?? 0n },
    feePayers: feePayers
      .map((signer, index) => ({ signer, lamports: others[index]?.lamports ?? 0n }))
      .filter(({ lamports }) => lamports >= RESERVE_LAMPORTS + FEE_PAYER_LAMPORTS),
  };
}

/** The transactions with the signer that pays for each, and those for which none can pay. */
export interface Assigned<T> {
  readonly paid: readonly (T & { readonly feePayer: TransactionPartialSigner })[];
  readonly unpaid: readonly T[];
  /** The lamports that the collector needs for those that no fee payer pays. */
  readonly needed: bigint;
}

/**
 * Assigns the transactions to the fee payers in turn, as far as their balances pay for them, before
 * anything is sent, because a cluster silently drops a transaction whose fee payer cannot pay. Those
 * with the payment that is overdue longest come first. The collector pays for the others, and for
 * those that create token accounts, whose rent it pays.
 *
 * @param first the index of the fee payer that begins
 */
export function assignFeePayers<T extends UnpaidTransaction>(
  { collector, feePayers }: Purses,
  transactions: readonly T[],
  first: number,
): Assigned<T> {
  const paid: (T & { feePayer: TransactionPartialSigner })[] = [];
  const unpaid: T[] = [];
  const spent = new Map([collector, ...feePayers].map((purse) => [purse, RESERVE_LAMPORTS]));
  const created = new Set<string>();
  const createdByAll = new Set<string>();
  let needed = RESERVE_LAMPORTS;
  let turn = first;
  const pays = (purse: Purse, lamports: bigint): boolean => {
    const total = (spent.get(purse) ?? 0n) + lamports;
    if (purse.lamports < total) return false;
    spent.set(purse, total);
    return true;
  };
  for (const transaction of [...transactions].sort((a, b) => Number(oldestDue(a) - oldestDue(b)))) {
    const inTurn = createsAccounts(transaction)
      ? []
      : [...feePayers.slice(turn), ...feePayers.slice(0, turn)];
    const fee = FEE_PAYER_LAMPORTS + priorityFee(transaction);
    const feePayer = inTurn.find((purse) => pays(purse, fee));
    if (feePayer) {
      turn = feePayers.indexOf(feePayer) + 1;
      paid.push({ ...transaction, feePayer: feePayer.signer });
      continue;
    }
    needed += collectorCost(transaction, createdByAll);
    const creating = new Set(created);
    if (!pays(collector, collectorCost(transaction, creating))) {
      unpaid.push(transaction);
      continue;
    }
    for (const account of creating) created.add(account);
    paid.push({ ...transaction, feePayer: collector.signer });
  }
  return { paid, unpaid, needed };
}

function createsAccounts({ payments }: UnpaidTransaction): boolean {
  return payments.some(({ pull }) => pull.receiverIsMissing);
}

/**
 * What a transaction costs the collector besides those before it, whose new accounts are in
 * `created`.
 */
function collectorCost(transaction: UnpaidTransaction, created: Set<string>): bigint {
  const before = created.size;
  for (const { pull } of transaction.payments) {
    if (pull.receiverIsMissing) created.add(pull.receiverTokenAccount);
  }
  const rents = TOKEN_ACCOUNT_LAMPORTS * BigInt(created.size - before);
  return FEE_LAMPORTS + priorityFee(transaction) + rents;
}

function priorityFee({ computeUnits, price }: UnpaidTransaction): bigint {
  return (price * BigInt(computeUnits) + MICRO_LAMPORTS - 1n) / MICRO_LAMPORTS;
}

function oldestDue({ payments }: UnpaidTransaction): bigint {
  let oldest = payments[0]?.period.dueAt ?? 0n;
  for (const { period } of payments) if (period.dueAt < oldest) oldest = period.dueAt;
  return oldest;
}
