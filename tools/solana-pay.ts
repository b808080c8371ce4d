import { type Connection, type Keypair, Transaction } from '@solana/web3.js';

/** The URL in a link of Solana Pay, which must be https. */
export function linkOf(code: string): URL {
  const link = new URL(decodeURIComponent(code.slice('solana:'.length)));
  if (!code.startsWith('solana:') || link.protocol !== 'https:')
    throw new Error(`Not a Solana Pay link: ${code}`);
  return link;
}

/**
 * A transaction request as a wallet answers it: the transaction is read by web3.js. If nobody has
 * signed, the wallet pays, with a blockhash of its own.
 * https://github.com/solana-foundation/pay/blob/main/typescript/packages/solana-pay/spec/SPEC.md
 */
export async function payRequest(connection: Connection, wallet: Keypair, url: URL): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify({ account: wallet.publicKey.toBase58() }),
  });
  const { transaction: encoded } = (await response.json()) as { transaction: string };
  const transaction = Transaction.from(Buffer.from(encoded, 'base64'));
  if (transaction.signatures.every(({ signature }) => signature === null)) {
    transaction.feePayer = wallet.publicKey;
    transaction.recentBlockhash = (await connection.getLatestBlockhash()).blockhash;
  }
  transaction.partialSign(wallet);
  await connection.sendRawTransaction(transaction.serialize());
}
