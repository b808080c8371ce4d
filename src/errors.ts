/** The codes that merchants were promised; `internal_error` is what anything unexpected becomes at the edge. */
export type BillingErrorCode =
  | 'authentication_error'
  | 'invalid_request'
  | 'not_found'
  | 'plan_inactive'
  | 'session_expired'
  | 'rate_limit_exceeded';

/**
 * A fact about the caller's request, to be told to the caller: what is wrong, with which parameter, what is allowed.
 * Any other error that reaches an edge is a bug: logged, and masked.
 */
export class BillingError extends Error {
  override name = 'BillingError';
  readonly code: BillingErrorCode;
  /** Name of the offending parameter, as the caller spells it. */
  readonly param: string | undefined;

  constructor(code: BillingErrorCode, message: string, param?: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.param = param;
  }
}

/** `param` is wrong; the message says what is allowed. */
export function invalidRequest(param: string, message: string): BillingError {
  return new BillingError('invalid_request', message, param);
}

/** Also said of what exists but belongs to another merchant or environment. */
export function notFound(what: string, param?: string): BillingError {
  return new BillingError('not_found', `No such ${what}.`, param);
}
