import { ClientError } from 'graphql-request';

/** Reason of a failed call: an error code of the API, or one about the connection. */
export type DuesErrorCode =
  | 'authentication_error'
  | 'invalid_request'
  | 'not_found'
  | 'plan_inactive'
  | 'session_expired'
  | 'rate_limit_exceeded'
  | 'internal_error'
  /** A live stream broke and must be reopened: `liveEvents` does that automatically. */
  | 'live_interrupted'
  /** No response, or one that is not from dues. Whether the call had an effect is unknown. */
  | 'connection_error';

/** The error of every failed call. */
export class DuesError extends Error {
  override readonly name = 'DuesError';
  readonly code: DuesErrorCode;
  /** Name of the invalid parameter, if there is one. */
  readonly param: string | undefined;
  /** HTTP status of the response; undefined without one. */
  readonly status: number | undefined;
  /** Seconds to wait before a retry, from the header `Retry-After`; undefined without it. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: DuesErrorCode,
    message: string,
    {
      param,
      status,
      retryAfterSeconds,
      cause,
    }: { param?: string; status?: number; retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.code = code;
    this.param = param;
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** Whether the same call may succeed later. */
  get isTemporary(): boolean {
    return TEMPORARY.includes(this.code);
  }
}

const TEMPORARY: readonly DuesErrorCode[] = [
  'rate_limit_exceeded',
  'internal_error',
  'live_interrupted',
  'connection_error',
];

const CODES: readonly string[] = [
  ...['authentication_error', 'invalid_request', 'not_found', 'plan_inactive', 'session_expired'],
  ...['rate_limit_exceeded', 'internal_error', 'live_interrupted'],
];

/** A GraphQL error. */
export interface GraphqlError {
  readonly message: string;
  readonly extensions?: object | undefined;
}

/** Converts the first error of a response. A response without an error is not from dues. */
export function errorIn(
  errors: readonly GraphqlError[] | undefined,
  answer: { readonly status: number; readonly headers: Headers },
  cause?: unknown,
): DuesError {
  const { status } = answer;
  const [first] = errors ?? [];
  if (!first)
    return new DuesError('connection_error', `The response had the status ${status}.`, { status, cause });
  const { code, param } = (first.extensions ?? {}) as { readonly code?: unknown; readonly param?: unknown };
  const retryAfter = Number(answer.headers.get('retry-after') ?? Number.NaN);
  return new DuesError(isCode(code) ? code : 'internal_error', first.message, {
    status,
    cause,
    ...(typeof param === 'string' && { param }),
    ...(Number.isFinite(retryAfter) && { retryAfterSeconds: retryAfter }),
  });
}

/** Converts any error of a call to a DuesError. */
export function toDuesError(cause: unknown): DuesError {
  if (cause instanceof DuesError) return cause;
  if (!(cause instanceof ClientError)) {
    return new DuesError('connection_error', 'dues did not respond.', { cause });
  }
  const { response } = cause;
  return errorIn(response.errors, { status: response.status, headers: new Headers(response.headers) }, cause);
}

function isCode(code: unknown): code is DuesErrorCode {
  return typeof code === 'string' && CODES.includes(code);
}
