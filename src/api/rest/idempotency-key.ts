import { z } from '@hono/zod-openapi';
import { invalidRequest } from '../../errors.ts';

/** The usual header of other APIs. Ours accepts the key in the body or in this header. */
export const IDEMPOTENCY_HEADER = 'Idempotency-Key';

export const idempotencyHeader = z.object({
  [IDEMPOTENCY_HEADER]: z
    .string()
    .optional()
    .openapi({ description: 'The same as `idempotency_key` in the body; either is enough.' }),
});

/**
 * The idempotency key from the body or the header; both may have it if they are equal. The header
 * value may be quoted, as draft-ietf-httpapi-idempotency-key-header-07 requires.
 *
 * @throws BillingError invalid_request, param `Idempotency-Key`, if the two differ
 */
export function idempotencyKeyOf(inBody: string | undefined, inHeader: string | undefined) {
  const header = inHeader?.replace(/^"(.*)"$/, '$1');
  if (inBody !== undefined && header !== undefined && inBody !== header) {
    throw invalidRequest(
      IDEMPOTENCY_HEADER,
      `${IDEMPOTENCY_HEADER} differs from the idempotency_key of the body.`,
    );
  }
  return inBody ?? header;
}
