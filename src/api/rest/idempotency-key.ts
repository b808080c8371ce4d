import { z } from '@hono/zod-openapi';
import { invalidRequest } from '../../errors.ts';

/**
 * The header in which other APIs accept the idempotency key. Ours accepts the key in the body or in
 * this header.
 */
export const IDEMPOTENCY_HEADER = 'Idempotency-Key';

export const idempotencyHeader = z.object({
  [IDEMPOTENCY_HEADER]: z.string().optional().openapi({
    description: 'The same as `idempotency_key` in the body. Send one of them, or both with the same value.',
  }),
});

/**
 * The idempotency key from the body or the header. If both have one, they must be equal. The header
 * value may be quoted, as draft-ietf-httpapi-idempotency-key-header-07 requires.
 *
 * @throws BillingError invalid_request, param `Idempotency-Key`, if the two differ
 */
export function idempotencyKeyOf(keyInBody: string | undefined, keyInHeader: string | undefined) {
  const unquotedKey = keyInHeader?.replace(/^"(.*)"$/, '$1');
  if (keyInBody !== undefined && unquotedKey !== undefined && keyInBody !== unquotedKey) {
    throw invalidRequest(
      IDEMPOTENCY_HEADER,
      `${IDEMPOTENCY_HEADER} differs from the idempotency_key of the body.`,
    );
  }
  return keyInBody ?? unquotedKey;
}
