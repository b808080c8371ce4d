import { randomBytes } from 'node:crypto';
import type { AppContext } from '../../app.ts';
import type { Config } from '../../config.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { validAddress } from '../merchant/valid-text.ts';
import type { SignInFields } from './sign-in-message.ts';

/** How long the wallet's owner may take. */
const VALID_MS = 5 * 60_000;
const STATEMENT = 'Sign in to the dashboard of dues. This is no transaction and moves no money.';
/** How many nonces that nobody answered are cleared away with each new one. */
const CLEARED = 100;

/**
 * What a wallet is to be asked for, with a nonce of its own: the input of `solana:signIn`.
 *
 * @param address the account that is to sign; without it the wallet's owner chooses
 * @throws BillingError invalid_request, param `address`
 */
export async function makeSignInInput(
  { config, db, clock }: Pick<AppContext, 'config' | 'db' | 'clock'>,
  address?: string,
): Promise<SignInFields> {
  const now = clock.now();
  const expiresAt = new Date(now.getTime() + VALID_MS);
  const { host, origin } = new URL(config.publicUrl);
  const fields: SignInFields = {
    domain: host,
    ...(address !== undefined && { address: validAddress('address', address) }),
    statement: STATEMENT,
    uri: origin,
    version: '1',
    chainId: chainIdOf(config),
    nonce: randomBytes(16).toString('hex'),
    issuedAt: now.toISOString(),
    expirationTime: expiresAt.toISOString(),
  };
  await db.$executeRaw(Prisma.sql`
    DELETE FROM "SignInNonce" WHERE "nonce" IN (
      SELECT "nonce" FROM "SignInNonce" WHERE "expiresAt" <= ${now} LIMIT ${CLEARED} FOR UPDATE SKIP LOCKED)`);
  await db.signInNonce.create({ data: { nonce: fields.nonce, fields: { ...fields }, expiresAt } });
  return fields;
}

// A session is for both environments; the wallet is told of the one where there is more to lose.
function chainIdOf({ clusters }: Config): string {
  return clusters.LIVE ? 'solana:mainnet' : 'solana:devnet';
}
