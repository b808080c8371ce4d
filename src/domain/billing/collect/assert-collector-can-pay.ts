import type { Chain } from '../../../chain/chain.ts';
import { callAsOf, contextSlot } from '../../../chain/rpc/as-of.ts';
import { FEE_LAMPORTS, RESERVE_LAMPORTS, TOKEN_ACCOUNT_LAMPORTS } from '../../collector/lamport-amounts.ts';
import type { PayablePayment } from './prepare-payments.ts';

const MICRO_LAMPORTS = 1_000_000n;

/** A transaction whose fee the collector pays. */
export interface PaidTransaction {
  readonly payments: readonly Pick<PayablePayment, 'pull'>[];
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

/**
 * Checks the collector's balance before anything is sent, because a cluster silently drops a
 * transaction whose fee payer cannot pay.
 *
 * @throws Error if `lamports`, the collector's balance, is less than these transactions cost
 */
export function assertCollectorCanPay(
  { collector }: Pick<Chain, 'collector'>,
  lamports: bigint,
  transactions: readonly PaidTransaction[],
): void {
  const missingReceivers = new Set<string>();
  let needed = RESERVE_LAMPORTS;
  for (const { payments, computeUnits, price } of transactions) {
    needed += FEE_LAMPORTS + (price * BigInt(computeUnits) + MICRO_LAMPORTS - 1n) / MICRO_LAMPORTS;
    for (const { pull } of payments)
      if (pull.receiverIsMissing) missingReceivers.add(pull.receiverTokenAccount);
  }
  needed += TOKEN_ACCOUNT_LAMPORTS * BigInt(missingReceivers.size);
  if (lamports >= needed) return;
  throw new Error(
    `The collector ${collector.address} cannot pay the fees: it has ${lamports} lamports and needs ${needed}`,
  );
}
