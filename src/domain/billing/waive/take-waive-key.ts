import { createHash } from 'node:crypto';
import type { DbTransaction } from '../../../db/db.ts';
import { invalidRequest } from '../../../errors.ts';
import type { Scope } from '../../kernel/access/scope.ts';
import { validIdempotencyKey } from '../../kernel/input/idempotency-key.ts';

export interface WaiveRequest {
  readonly idempotencyKey: string;
  /** What makes it the same request for a subscription: the change and its values. */
  readonly content: readonly (string | number | null)[];
}

/** A request with its content, if it has a key. @throws BillingError invalid_request, param `idempotencyKey` */
export function waiveRequest(
  key: string | null | undefined,
  ...content: WaiveRequest['content']
): WaiveRequest | undefined {
  if (key == null) return undefined;
  return { idempotencyKey: validIdempotencyKey('idempotencyKey', key), content };
}

/**
 * Takes the key of a request. Returns false if the same request took it before. Of two requests at once, the
 * second one waits for the first. A request that fails leaves its key free.
 *
 * @throws BillingError invalid_request, param `idempotencyKey`, for another request with the key
 */
export async function takeWaiveKey(
  tx: DbTransaction,
  { merchantId, environment }: Scope,
  { idempotencyKey: key, subscriptionId, content }: WaiveRequest & { readonly subscriptionId: string },
  createdAt: Date,
): Promise<boolean> {
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([subscriptionId, ...content]))
    .digest();
  const data = { merchantId, environment, key, fingerprint, createdAt };
  const { count } = await tx.waiveKey.createMany({ data, skipDuplicates: true });
  if (count > 0) return true;
  const holder = await tx.waiveKey.findUniqueOrThrow({
    where: { merchantId_environment_key: { merchantId, environment, key } },
  });
  if (fingerprint.equals(holder.fingerprint)) return false;
  throw invalidRequest('idempotencyKey', 'The key was used for another request: choose a new one.');
}
