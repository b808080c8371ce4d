import { getBase64Decoder, type Transaction, type TransactionMessageBytesBase64 } from '@solana/kit';
import type { Chain } from './chain.ts';

/** Of one signature, the same on every cluster: https://solana.com/docs/core/fees */
const SIGNATURE_FEE = 5_000n;

/**
 * What a wallet has to have for a transaction that it pays for: the fee, the rent of the accounts that are made (so many
 * bytes each), and its own, without which the cluster takes no more from it.
 */
export async function lamportsNeeded(
  { rpc }: Pick<Chain, 'rpc'>,
  transaction: Transaction,
  newAccounts: readonly number[],
): Promise<bigint> {
  const message = getBase64Decoder().decode(transaction.messageBytes) as TransactionMessageBytesBase64;
  const [fee, ...rents] = await Promise.all([
    rpc.getFeeForMessage(message, { commitment: 'confirmed' }).send(),
    ...[0, ...newAccounts].map((bytes) => rpc.getMinimumBalanceForRentExemption(BigInt(bytes)).send()),
  ]);
  // None is told of a transaction whose blockhash the node does not know (any more).
  return rents.reduce<bigint>((sum, rent) => sum + rent, fee.value ?? SIGNATURE_FEE);
}
