/**
 * The error codes of the contract. An unexpected error gets the code `internal_error` in a
 * response.
 */
export type BillingErrorCode =
  | 'authentication_error'
  | 'invalid_request'
  | 'not_found'
  | 'plan_inactive'
  | 'session_expired'
  | 'rate_limit_exceeded';

/**
 * An error in the caller's request, with a message for the caller. Any other error that would reach
 * a response is a bug: it is logged and masked.
 */
export class BillingError extends Error {
  override name = 'BillingError';
  readonly code: BillingErrorCode;
  /** Name of the invalid parameter, as the caller spells it. */
  readonly param: string | undefined;

  constructor(code: BillingErrorCode, message: string, param?: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.param = param;
  }
}

/** The error for an invalid `param`. The message states what is allowed. */
export function invalidRequest(param: string, message: string): BillingError {
  return new BillingError('invalid_request', message, param);
}

/** The error for an object that does not exist, or belongs to another merchant or environment. */
export function notFound(object: string, param?: string): BillingError {
  return new BillingError('not_found', `No such ${object}.`, param);
}
