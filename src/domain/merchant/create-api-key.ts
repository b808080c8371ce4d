import type { AppContext } from '../../app.ts';
import { invalidRequest } from '../../errors.ts';
import { generateApiKey, hashApiKey } from '../../secrets.ts';
import type { Scope } from './scope.ts';
import { validText } from './valid-text.ts';

const MAX_NAME = 100;

export interface CreateApiKeyInput {
  /** For the merchant's own list. */
  readonly name: string;
  /** Never, where it is left out. */
  readonly expiresAt?: Date | undefined;
}

export interface NewApiKey {
  readonly id: string;
  /** Shown now and never again. */
  readonly apiKey: string;
  readonly lastFour: string;
}

/**
 * Makes a key that opens this merchant's environment.
 *
 * @throws BillingError invalid_request, param `name` or `expiresAt`
 */
export async function createApiKey(
  { config, db, clock }: Pick<AppContext, 'config' | 'db' | 'clock'>,
  { merchantId, environment }: Scope,
  { name, expiresAt }: CreateApiKeyInput,
): Promise<NewApiKey> {
  const now = clock.now();
  if (expiresAt && !(expiresAt > now)) throw invalidRequest('expiresAt', 'expiresAt must be in the future.');
  const apiKey = generateApiKey(environment);
  const lastFour = apiKey.slice(-4);
  const { id } = await db.apiKey.create({
    data: {
      merchantId,
      environment,
      name: validText('name', name, MAX_NAME),
      hash: hashApiKey(config.secretKey, apiKey),
      lastFour,
      createdAt: now,
      expiresAt: expiresAt ?? null,
    },
  });
  return { id, apiKey, lastFour };
}
