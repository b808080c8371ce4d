import {
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  getTransactionDecoder,
  type KeyPairSigner,
  signTransaction,
} from '@solana/kit';
import type { Chain } from '../src/chain/chain.ts';

/** Signs a transaction with a wallet and sends it to the cluster. */
export async function signAndSend(
  { rpc }: Pick<Chain, 'rpc'>,
  wallet: KeyPairSigner,
  transaction: string,
): Promise<string> {
  const unsigned = getTransactionDecoder().decode(getBase64Encoder().encode(transaction));
  const signed = await signTransaction([wallet.keyPair], unsigned as never);
  return rpc
    .sendTransaction(getBase64EncodedWireTransaction(signed), {
      encoding: 'base64',
      preflightCommitment: 'confirmed',
    })
    .send();
}
