import { z } from 'zod';
import { invalidRequest } from '../../../errors.ts';
import type { Scope } from '../../kernel/access/scope.ts';

const content = z.tuple([z.enum(['TEST', 'LIVE']), z.uuid(), z.string().regex(/^(0|[1-9]\d{0,18})$/)]);

/**
 * The public cursor of a position in a merchant's event stream: opaque and valid only for this
 * stream.
 */
export function eventCursor({ merchantId, environment }: Scope, position: bigint): string {
  return Buffer.from(`${environment} ${merchantId} ${position}`).toString('base64url');
}

/**
 * The position of a cursor.
 *
 * @throws BillingError invalid_request if it is not a cursor of this stream
 */
export function cursorPosition(param: string, scope: Scope, cursor: string): bigint {
  const parsed = content.safeParse(Buffer.from(cursor, 'base64url').toString().split(' '));
  // Compares the whole text, because decoding ignores characters outside base64url.
  if (!parsed.success || eventCursor(streamOf(parsed.data), BigInt(parsed.data[2])) !== cursor) {
    throw invalidRequest(param, `${param} must be the unchanged cursor of an event.`);
  }
  const { merchantId, environment } = streamOf(parsed.data);
  if (environment !== scope.environment || merchantId !== scope.merchantId) {
    throw invalidRequest(param, `${param} must be a cursor of the key's merchant and environment.`);
  }
  return BigInt(parsed.data[2]);
}

function streamOf([environment, merchantId]: z.infer<typeof content>): Scope {
  return { environment, merchantId };
}
