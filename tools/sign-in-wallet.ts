/** The wallet's side of Sign-In With Solana. The wallet standard's library makes the message. */
import { type KeyPairSigner, signBytes } from '@solana/kit';
import { createSignInMessage } from '@solana/wallet-standard-util';

/** The sign-in request of the service, as a page passes it to a wallet. Null fields are omitted. */
export type SignInRequest = Readonly<Record<string, string | null | undefined>> & {
  readonly domain: string;
};

/** The answer that the page sends to the service. Bytes are in base64. */
export interface WalletAnswer {
  readonly address: string;
  readonly signedMessage: string;
  readonly signature: string;
}

/** Signs a sign-in request, as a wallet with `solana:signIn` does. */
export async function signInWithWallet(wallet: KeyPairSigner, request: SignInRequest): Promise<WalletAnswer> {
  const fields = Object.fromEntries(Object.entries(request).filter(([, value]) => value != null));
  const input = { address: wallet.address as string, ...fields, domain: request.domain };
  return signMessage(wallet, createSignInMessage(input));
}

/** Signs any bytes, as a wallet's `signMessage` does. */
export async function signMessage(wallet: KeyPairSigner, message: Uint8Array): Promise<WalletAnswer> {
  const signature = await signBytes(wallet.keyPair.privateKey, message);
  return {
    address: wallet.address,
    signedMessage: Buffer.from(message).toString('base64'),
    signature: Buffer.from(signature).toString('base64'),
  };
}
