import { HTTPException } from 'hono/http-exception';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { BillingError, type BillingErrorCode } from '../errors.ts';

/** The one pairing of codes with statuses. */
const STATUS: Readonly<Record<BillingErrorCode | 'internal_error', ContentfulStatusCode>> = {
  invalid_request: 400,
  plan_inactive: 400,
  session_expired: 400,
  authentication_error: 401,
  not_found: 404,
  rate_limit_exceeded: 429,
  internal_error: 500,
};

/** What a body of another type is told. */
export const JSON_ONLY = 'The content type must be application/json.';

/** An error as the outside sees it. */
export interface PublicError {
  readonly code: BillingErrorCode | 'internal_error';
  readonly message: string;
  /** Name of the offending parameter, where one is. */
  readonly param?: string;
}

/** Null for what is a bug of ours, to be logged and masked. */
export function publicError(error: unknown): PublicError | null {
  if (error instanceof BillingError) {
    const { code, message, param } = error;
    return { code, message, ...(param === undefined ? {} : { param }) };
  }
  // What hono refuses of a body: another type, and malformed JSON.
  if (error instanceof HTTPException && error.status === 415) {
    return { code: 'invalid_request', message: JSON_ONLY, param: 'Content-Type' };
  }
  if (error instanceof HTTPException && error.status < 500) {
    return { code: 'invalid_request', message: error.message.replace(/\.?$/, '.'), param: 'body' };
  }
  return null;
}

export const INTERNAL_ERROR: PublicError = {
  code: 'internal_error',
  message: 'Something went wrong on our side.',
};

export function statusOf({ code }: PublicError): ContentfulStatusCode {
  return STATUS[code];
}
