import { z } from 'zod';
import { invalidRequest } from '../../errors.ts';
import type { Scope } from '../merchant/scope.ts';

const content = z.tuple([z.enum(['TEST', 'LIVE']), z.uuid(), z.string().regex(/^(0|[1-9]\d{0,18})$/)]);

/** A place in a merchant's stream of events, for the outside: opaque, and of no other stream. */
export function eventCursor({ merchantId, environment }: Scope, position: bigint): string {
  return Buffer.from(`${environment} ${merchantId} ${position}`).toString('base64url');
}

/**
 * The position that a cursor names.
 *
 * @throws BillingError invalid_request where it is no cursor, or one of another stream
 */
export function cursorPosition(param: string, scope: Scope, cursor: string): bigint {
  const parsed = content.safeParse(Buffer.from(cursor, 'base64url').toString().split(' '));
  // Compared as a whole: decoding overlooks characters that are not base64url.
  if (!parsed.success || eventCursor(streamOf(parsed.data), BigInt(parsed.data[2])) !== cursor) {
    throw invalidRequest(param, `${param} must be the cursor of an event, as it was told.`);
  }
  const { merchantId, environment } = streamOf(parsed.data);
  if (environment !== scope.environment || merchantId !== scope.merchantId) {
    throw invalidRequest(param, `${param} must be a cursor of the key's own merchant and environment.`);
  }
  return BigInt(parsed.data[2]);
}

function streamOf([environment, merchantId]: z.infer<typeof content>): Scope {
  return { environment, merchantId };
}
