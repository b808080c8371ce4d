import type { Chain } from '../../../chain/chain.ts';
import { callAsOf, contextSlot } from '../../../chain/rpc/as-of.ts';
import {
  FEE_LAMPORTS,
  RESERVE_LAMPORTS,
  TOKEN_ACCOUNT_LAMPORTS,
} from '../../chain-state/collector/lamport-amounts.ts';
import type { PayablePayment } from './prepare-payments.ts';

const MICRO_LAMPORTS = 1_000_000n;

/** A transaction whose fee the collector pays. */
export interface PaidTransaction {
  readonly payments: readonly Pick<PayablePayment, 'pull' | 'period'>[];
  /** The compute unit limit; 0 if it is not known yet. */
  readonly computeUnits: number;
  /** Micro-lamports per compute unit. */
  readonly price: bigint;
}

/**
 * The collector's balance in lamports, read at the chain's `minSlot` or later.
 *
 * @throws NodeBehind
 */
export async function collectorLamports(chain: Chain): Promise<bigint> {
  const { rpc, collector } = chain;
  const { value } = await callAsOf(
    chain,
    (config) => rpc.getBalance(collector.address, { commitment: 'confirmed', ...config }).send(),
    contextSlot,
  );
  return value;
}

/** The transactions that the collector's balance pays for, and the others. */
export interface Affordable<T> {
  readonly paid: readonly T[];
  readonly unpaid: readonly T[];
  /** The lamports that all of them need. */
  readonly needed: bigint;
}

/**
 * Splits transactions by what the collector's balance pays for, before anything is sent, because a
 * cluster silently drops a transaction whose fee payer cannot pay. Those with the payment that is
 * overdue longest come first.
 */
export function splitByBalance<T extends PaidTransaction>(
  lamports: bigint,
  transactions: readonly T[],
): Affordable<T> {
  const paid: T[] = [];
  const unpaid: T[] = [];
  const created = new Set<string>();
  const createdByAll = new Set<string>();
  let spent = RESERVE_LAMPORTS;
  let needed = RESERVE_LAMPORTS;
  for (const transaction of [...transactions].sort((a, b) => Number(oldestDue(a) - oldestDue(b)))) {
    needed += costOf(transaction, createdByAll);
    const creating = new Set(created);
    const cost = costOf(transaction, creating);
    if (lamports < spent + cost) {
      unpaid.push(transaction);
      continue;
    }
    spent += cost;
    for (const account of creating) created.add(account);
    paid.push(transaction);
  }
  return { paid, unpaid, needed };
}

/** What a transaction costs besides those before it, whose new accounts are in `created`. */
function costOf({ payments, computeUnits, price }: PaidTransaction, created: Set<string>): bigint {
  const before = created.size;
  for (const { pull } of payments) if (pull.receiverIsMissing) created.add(pull.receiverTokenAccount);
  const fee = FEE_LAMPORTS + (price * BigInt(computeUnits) + MICRO_LAMPORTS - 1n) / MICRO_LAMPORTS;
  return fee + TOKEN_ACCOUNT_LAMPORTS * BigInt(created.size - before);
}

function oldestDue({ payments }: PaidTransaction): bigint {
  let oldest = payments[0]?.period.dueAt ?? 0n;
  for (const { period } of payments) if (period.dueAt < oldest) oldest = period.dueAt;
  return oldest;
}
