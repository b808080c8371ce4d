/** A wallet's side of Sign-In With Solana, with the message made by the wallet standard's own code. */
import { type KeyPairSigner, signBytes } from '@solana/kit';
import { createSignInMessage } from '@solana/wallet-standard-util';

/** The service's words, as a page passes them on to a wallet; a null is a field that is not there. */
export type SignInRequest = Readonly<Record<string, string | null | undefined>> & {
  readonly domain: string;
};

/** What the page sends back: bytes in base64. */
export interface WalletAnswer {
  readonly address: string;
  readonly signedMessage: string;
  readonly signature: string;
}

/** Signs in as a wallet with `solana:signIn` does. */
export async function walletSignIn(wallet: KeyPairSigner, request: SignInRequest): Promise<WalletAnswer> {
  const given = Object.fromEntries(Object.entries(request).filter(([, value]) => value != null));
  const input = { address: wallet.address as string, ...given, domain: request.domain };
  return signedBy(wallet, createSignInMessage(input));
}

/** Signs any bytes: a wallet's `signMessage`. */
export async function signedBy(wallet: KeyPairSigner, message: Uint8Array): Promise<WalletAnswer> {
  const signature = await signBytes(wallet.keyPair.privateKey, message);
  return {
    address: wallet.address,
    signedMessage: Buffer.from(message).toString('base64'),
    signature: Buffer.from(signature).toString('base64'),
  };
}
