import {
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  getSignatureFromTransaction,
  getTransactionDecoder,
  type KeyPairSigner,
  partiallySignTransaction,
  type Signature,
} from '@solana/kit';

/** Signs a transaction in base64 as a wallet does. */
export async function signAsWallet(
  wallet: KeyPairSigner,
  transaction: string,
): Promise<{ wire: Uint8Array; signature: Signature }> {
  const unsigned = getTransactionDecoder().decode(getBase64Encoder().encode(transaction));
  const signedTransaction = await partiallySignTransaction([wallet.keyPair], unsigned);
  const wire = new Uint8Array(getBase64Encoder().encode(getBase64EncodedWireTransaction(signedTransaction)));
  return { wire, signature: getSignatureFromTransaction(signedTransaction) };
}
