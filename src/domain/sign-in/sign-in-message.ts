// Sign-In With Solana, as wallets implement it: https://github.com/phantom/sign-in-with-solana (ABNF of the message) and
// the `solana:signIn` feature of the wallet standard, whose input has these names.

/** What a wallet is to say; the wallet makes the message of it, in this order and spelling. */
export interface SignInFields {
  /** Host, and port where it is not the usual one, of the page that asks. */
  readonly domain: string;
  /** Base58; where it is left out any account of the wallet may sign. */
  readonly address?: string;
  readonly statement: string;
  readonly uri: string;
  readonly version: '1';
  /** `solana:mainnet` or `solana:devnet`. */
  readonly chainId: string;
  /** 32 hex digits; good for one answer. */
  readonly nonce: string;
  /** ISO 8601 in UTC, like the next. */
  readonly issuedAt: string;
  readonly expirationTime: string;
}

/** The message that a wallet signs when it is asked for these fields. */
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

/** The nonce that a message claims: whether the rest fits it is another question. */
export function claimedNonce(message: string): string | undefined {
  return /^Nonce: ([0-9a-f]{32})$/m.exec(message)?.[1];
}

/** Where a message is not the one that was asked for: what is there, and what had to be; undefined where it is the same. */
export function firstDifference(
  message: string,
  wanted: string,
): { readonly found: string; readonly wanted: string } | undefined {
  if (message === wanted) return undefined;
  const lines = message.split('\n');
  const wantedLines = wanted.split('\n');
  const length = Math.max(lines.length, wantedLines.length);
  for (let at = 0; at < length; at++) {
    if (lines[at] === wantedLines[at]) continue;
    return { found: lines[at] ?? '', wanted: wantedLines[at] ?? '' };
  }
  return undefined;
}
