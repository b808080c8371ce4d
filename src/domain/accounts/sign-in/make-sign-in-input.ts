import { randomBytes } from 'node:crypto';
import type { AppContext } from '../../../app.ts';
import type { Config } from '../../../config.ts';
import { Prisma } from '../../../generated/prisma/client.ts';
import { validAddress } from '../../kernel/input/valid-text.ts';
import type { SignInFields } from './sign-in-message.ts';

/** Time for the wallet's owner to sign. */
const VALID_MS = 5 * 60_000;
/** The purposes of a message. Its nonce is stored under the prefix, so that it has no other use. */
export const SIGN_IN_PURPOSES = {
  dashboard: {
    prefix: '',
    statement: 'Sign in to the dashboard of dues. This is not a transaction and moves no money.',
  },
  portal: {
    prefix: 'portal:',
    statement: 'Sign in to see your subscriptions. This is not a transaction and moves no money.',
  },
} as const;
export type SignInPurpose = keyof typeof SIGN_IN_PURPOSES;

/** Maximum expired nonces deleted with each new one. */
const MAX_DELETED = 100;

/**
 * Creates the input of `solana:signIn` with a new nonce.
 *
 * @param address the account that must sign; default any account of the wallet
 * @throws BillingError invalid_request, param `address`
 */
export async function makeSignInInput(
  { config, db, wallClock }: Pick<AppContext, 'config' | 'db' | 'wallClock'>,
  address?: string,
  purpose: SignInPurpose = 'dashboard',
): Promise<SignInFields> {
  const { statement, prefix } = SIGN_IN_PURPOSES[purpose];
  const now = wallClock.now();
  const expiresAt = new Date(now.getTime() + VALID_MS);
  const { host, origin } = new URL(config.publicUrl);
  const fields: SignInFields = {
    domain: host,
    ...(address !== undefined && { address: validAddress('address', address) }),
    statement,
    uri: origin,
    version: '1',
    chainId: chainIdOf(config),
    nonce: randomBytes(16).toString('hex'),
    issuedAt: now.toISOString(),
    expirationTime: expiresAt.toISOString(),
  };
  await db.$executeRaw(Prisma.sql`
    DELETE FROM "SignInNonce" WHERE "nonce" = ANY(ARRAY(
      SELECT "nonce" FROM "SignInNonce" WHERE "expiresAt" <= ${now} LIMIT ${MAX_DELETED} FOR UPDATE SKIP LOCKED))`);
  await db.signInNonce.create({
    data: { nonce: `${prefix}${fields.nonce}`, fields: { ...fields }, expiresAt },
  });
  return fields;
}

// A member session covers both environments; the message names the cluster with real money.
function chainIdOf({ clusters }: Config): string {
  return clusters.LIVE ? 'solana:mainnet' : 'solana:devnet';
}
