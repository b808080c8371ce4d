// Sign-In With Solana as wallets implement it: https://github.com/phantom/sign-in-with-solana (ABNF
// of the message), and the `solana:signIn` feature of the Wallet Standard, whose input has these
// field names.

/** The fields from which the wallet builds the message, in this order and spelling. */
export interface SignInFields {
  /** Host of the requesting page, with a port that is not the default. */
  readonly domain: string;
  /** Base58; default any account of the wallet. */
  readonly address?: string;
  readonly statement: string;
  readonly uri: string;
  readonly version: '1';
  /** `solana:mainnet` or `solana:devnet`. */
  readonly chainId: string;
  /** 32 hex digits, valid for one sign-in. */
  readonly nonce: string;
  /** ISO 8601 in UTC, like the next field. */
  readonly issuedAt: string;
  readonly expirationTime: string;
}

/** The message that a wallet signs for these fields. */
export function signInMessage({ address, ...fields }: SignInFields & { readonly address: string }): string {
  return [
    `${fields.domain} wants you to sign in with your Solana account:`,
    address,
    '',
    fields.statement,
    '',
    `URI: ${fields.uri}`,
    `Version: ${fields.version}`,
    `Chain ID: ${fields.chainId}`,
    `Nonce: ${fields.nonce}`,
    `Issued At: ${fields.issuedAt}`,
    `Expiration Time: ${fields.expirationTime}`,
  ].join('\n');
}

/** The nonce in a message. The other parts of the message are not checked here. */
export function nonceOf(message: string): string | undefined {
  return /^Nonce: ([0-9a-f]{32})$/m.exec(message)?.[1];
}

/** The first difference from the expected message; undefined if they are equal. */
export function firstDifference(
  message: string,
  expected: string,
): { readonly found: string; readonly expected: string } | undefined {
  if (message === expected) return undefined;
  const lines = message.split('\n');
  const expectedLines = expected.split('\n');
  const length = Math.max(lines.length, expectedLines.length);
  for (let index = 0; index < length; index++) {
    if (lines[index] === expectedLines[index]) continue;
    return { found: lines[index] ?? '', expected: expectedLines[index] ?? '' };
  }
  return undefined;
}
