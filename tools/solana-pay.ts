import { fetchTransaction, parseURL, type TransactionRequestURL } from '@solana/pay';
import type { Connection, Keypair } from '@solana/web3.js';

// The client's side of Solana Pay, with the library that wallets use.

/**
 * The URL in the `solana:` link of a transaction request.
 *
 * @throws ParseURLError
 */
export function parseLink(code: string): URL {
  return (parseURL(code) as TransactionRequestURL).link;
}

/** Answers a transaction request as a wallet does: fetches the transaction, signs and sends it. */
export async function payRequest(connection: Connection, wallet: Keypair, url: URL): Promise<void> {
  const transaction = await fetchTransaction(connection, wallet.publicKey, url);
  transaction.partialSign(wallet);
  await connection.sendRawTransaction(transaction.serialize());
}
