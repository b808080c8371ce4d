import type { SignInInputMutation, SignInOutput } from '../../generated/graphql.ts';
import { connect, type SolanaWallet } from './wallets.ts';

type Fields = SignInInputMutation['signInInput'];

/**
 * Asks a wallet to sign in: by `solana:signIn` if it supports that, otherwise by signing the same
 * text as a message.
 *
 * @param readFields reads the fields to sign from the server
 * @throws Error with the wallet's message
 */
export async function signInWith(
  wallet: SolanaWallet,
  readFields: (address: string | null) => Promise<Fields>,
): Promise<SignInOutput> {
  const signIn = wallet.features['solana:signIn'];
  if (signIn) {
    const fields = await readFields(null);
    const input = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
    const [output] = await signIn.signIn(input);
    if (!output) throw new Error(`${wallet.name} did not sign in.`);
    const { account, signedMessage, signature } = output;
    return {
      address: account.address,
      signedMessage: base64(signedMessage),
      signature: base64(signature),
    };
  }
  const signMessage = wallet.features['solana:signMessage'];
  if (!signMessage) throw new Error(`${wallet.name} can neither sign in nor sign a message.`);
  const account = await connect(wallet);
  const message = new TextEncoder().encode(messageOf(account.address, await readFields(account.address)));
  const [signed] = await signMessage.signMessage({ account, message });
  if (!signed) throw new Error(`${wallet.name} did not sign the message.`);
  return {
    address: account.address,
    signedMessage: base64(signed.signedMessage),
    signature: base64(signed.signature),
  };
}

/** The text of Sign-In With Solana: https://github.com/phantom/sign-in-with-solana */
function messageOf(address: string, fields: Fields): string {
  const { domain, statement, uri, version, chainId, nonce, issuedAt, expirationTime } = fields;
  return [
    `${domain} wants you to sign in with your Solana account:`,
    address,
    '',
    statement,
    '',
    `URI: ${uri}`,
    `Version: ${version}`,
    `Chain ID: ${chainId}`,
    `Nonce: ${nonce}`,
    `Issued At: ${issuedAt}`,
    `Expiration Time: ${expirationTime}`,
  ].join('\n');
}

function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}
