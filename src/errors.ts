/** The error codes of the contract; unexpected errors become `internal_error` at the edge. */
export type BillingErrorCode =
  | 'authentication_error'
  | 'invalid_request'
  | 'not_found'
  | 'plan_inactive'
  | 'session_expired'
  | 'rate_limit_exceeded';

/**
 * An error of the caller's request, with a message for the caller. Any other error that reaches an
 * edge is a bug, which is logged and masked.
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

/** `param` is invalid; the message states what is allowed. */
export function invalidRequest(param: string, message: string): BillingError {
  return new BillingError('invalid_request', message, param);
}

/** Also used for objects of another merchant or environment. */
export function notFound(what: string, param?: string): BillingError {
  return new BillingError('not_found', `No such ${what}.`, param);
}
