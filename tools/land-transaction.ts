import type { Connection, SendOptions } from '@solana/web3.js';

const RESEND_INTERVAL_MS = 1_000;
const POLL_INTERVAL_MS = 50;

/** The transaction has not landed, and can no longer land. */
export class TransactionLost extends Error {
  override name = 'TransactionLost';
}

/**
 * Sends a signed transaction repeatedly, as wallets do, until it is confirmed. Returns its
 * signature.
 *
 * @throws TransactionLost if its blockhash has expired. After any other error the transaction may
 *   still land
 */
export async function landTransaction(
  connection: Connection,
  wire: Uint8Array,
  options: SendOptions = {},
): Promise<string> {
  const signature = await connection.sendRawTransaction(wire, options);
  const { blockhash } = await connection.getLatestBlockhash();
  let sentAt = performance.now();
  for (;;) {
    if ((await statusOf(connection, signature)).isConfirmed) return signature;
    if (performance.now() - sentAt > RESEND_INTERVAL_MS) {
      // The newest blockhash at the time of sending expires after the transaction's own.
      const { value: mayLand, context } = await connection.isBlockhashValid(blockhash);
      if (!mayLand) {
        // The transaction may have landed just before, and the node that answers may be behind.
        const last = await statusOf(connection, signature);
        if (last.isConfirmed) return signature;
        if (last.isUnknown && last.slot >= context.slot) throw new TransactionLost(signature);
      }
      await connection.sendRawTransaction(wire, { skipPreflight: true });
      sentAt = performance.now();
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  }
}

async function statusOf(connection: Connection, signature: string) {
  const { value, context } = await connection.getSignatureStatus(signature, {
    searchTransactionHistory: true,
  });
  if (value?.err) throw new Error(`the transaction failed: ${JSON.stringify(value.err)}`);
  const isConfirmed = value?.confirmationStatus === 'confirmed' || value?.confirmationStatus === 'finalized';
  return { isConfirmed, isUnknown: value === null, slot: context.slot };
}
