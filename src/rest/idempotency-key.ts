import { z } from '@hono/zod-openapi';
import { invalidRequest } from '../errors.ts';

/** Where other APIs have their callers put it, and where ours may put it as well. */
export const IDEMPOTENCY_HEADER = 'Idempotency-Key';

export const idempotencyHeader = z.object({
  [IDEMPOTENCY_HEADER]: z
    .string()
    .optional()
    .openapi({ description: 'The same as `idempotency_key` in the body; one of them is enough.' }),
});

/**
 * The key of a request that may have it in the body, in the header, or the same one in both. As a header it may stand in
 * quotes, as the IETF's draft wants it (draft-ietf-httpapi-idempotency-key-header-07).
 *
 * @throws BillingError invalid_request, param `Idempotency-Key`, for two that differ
 */
export function idempotencyKeyOf(inBody: string | undefined, inHeader: string | undefined) {
  const header = inHeader?.replace(/^"(.*)"$/, '$1');
  if (inBody !== undefined && header !== undefined && inBody !== header) {
    throw invalidRequest(IDEMPOTENCY_HEADER, `${IDEMPOTENCY_HEADER} is not the idempotency_key of the body.`);
  }
  return inBody ?? header;
}
