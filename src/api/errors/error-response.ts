import { HTTPException } from 'hono/http-exception';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { isOutcomeUnknown } from '../../db/is-outcome-unknown.ts';
import { tookTooLong } from '../../db/took-too-long.ts';
import { BillingError, type BillingErrorCode } from '../../errors.ts';

/** The HTTP status of each error code, for REST, GraphQL and pages. */
const STATUS: Readonly<Record<BillingErrorCode | 'internal_error', ContentfulStatusCode>> = {
  invalid_request: 400,
  plan_inactive: 400,
  session_expired: 400,
  authentication_error: 401,
  not_found: 404,
  rate_limit_exceeded: 429,
  internal_error: 500,
};

/** Message for a body with a wrong content type. */
export const JSON_ONLY = 'The content type must be application/json.';

/** The public form of an error. */
export interface PublicError {
  readonly code: BillingErrorCode | 'internal_error';
  readonly message: string;
  /** Name of the invalid parameter, if there is one. */
  readonly param?: string;
}

/** Returns null for an unexpected error, which the caller of this function logs and masks. */
export function publicError(error: unknown): PublicError | null {
  if (error instanceof BillingError) {
    const { code, message, param } = error;
    return { code, message, ...(param === undefined ? {} : { param }) };
  }
  // Hono's errors about the body: a wrong content type, or malformed JSON.
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

/** The error for work that waited too long in the database. The same request may succeed later. */
const BUSY_ERROR: PublicError = {
  code: 'internal_error',
  message: 'The service is busy and did not finish the request in time. Try again in a moment.',
};

/** The error for work whose commit was not confirmed. */
const UNKNOWN_OUTCOME: PublicError = {
  code: 'internal_error',
  message:
    'The database did not confirm the request, so a change may have been made or not. Query it, or repeat the request with the same idempotency key.',
};

/** `Retry-After` in seconds for errors without a rate limit. */
export const AGAIN_SECONDS = '1';

/** Whether the failure is temporary: the same request may succeed later. */
export function isTemporary(error: unknown): boolean {
  return tookTooLong(error) || (error instanceof BillingError && error.code === 'rate_limit_exceeded');
}

/** The public form of an unexpected error. Only the log has the error itself. */
export function maskedError(error: unknown): PublicError {
  if (isOutcomeUnknown(error)) return UNKNOWN_OUTCOME;
  return tookTooLong(error) ? BUSY_ERROR : INTERNAL_ERROR;
}

/** The error for a change that was made, but whose result could not be read in time. */
const UNREAD_RESULT: PublicError = {
  code: 'internal_error',
  message:
    'The change was made, but its result could not be read in time. Do not repeat the change: query its result.',
};

/**
 * The public form of an error after a change was made. A caller that repeats the request repeats
 * the change.
 */
export function maskedResultError(error: unknown): PublicError {
  return tookTooLong(error) ? UNREAD_RESULT : INTERNAL_ERROR;
}

/** The HTTP status of an error. */
export function statusOf({ code }: PublicError): ContentfulStatusCode {
  return STATUS[code];
}
