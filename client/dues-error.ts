import { ClientError } from 'graphql-request';

/** Why dues refused: the codes of its API, and those of the ways to it. */
export type DuesErrorCode =
  | 'authentication_error'
  | 'invalid_request'
  | 'not_found'
  | 'plan_inactive'
  | 'session_expired'
  | 'rate_limit_exceeded'
  | 'internal_error'
  /** A live stream broke off and has to be opened again: `liveEvents` does so by itself. */
  | 'live_interrupted'
  /** No answer, or none of dues'. Whether anything happened is not known. */
  | 'connection_error';

/** Everything that goes wrong with a call. */
export class DuesError extends Error {
  override readonly name = 'DuesError';
  readonly code: DuesErrorCode;
  /** Name of the parameter that is wrong, where one is. */
  readonly param: string | undefined;
  /** Status of the HTTP answer; undefined without one. */
  readonly status: number | undefined;
  /** How long to wait before asking again, where the answer says so. */
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

  /** Whether the same call may go well later. */
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

/** One of GraphQL's errors. */
export interface GraphqlError {
  readonly message: string;
  readonly extensions?: object | undefined;
}

/** The first of an answer's errors; an answer that has none is nobody's that we know. */
export function errorIn(
  errors: readonly GraphqlError[] | undefined,
  answer: { readonly status: number; readonly headers: Headers },
  cause?: unknown,
): DuesError {
  const { status } = answer;
  const [first] = errors ?? [];
  if (!first) return new DuesError('connection_error', `The answer was ${status}.`, { status, cause });
  const { code, param } = (first.extensions ?? {}) as { readonly code?: unknown; readonly param?: unknown };
  const retryAfter = Number(answer.headers.get('retry-after') ?? Number.NaN);
  return new DuesError(isCode(code) ? code : 'internal_error', first.message, {
    status,
    cause,
    ...(typeof param === 'string' && { param }),
    ...(Number.isFinite(retryAfter) && { retryAfterSeconds: retryAfter }),
  });
}

/** Whatever a call failed with, as one kind of error. */
export function toDuesError(cause: unknown): DuesError {
  if (cause instanceof DuesError) return cause;
  if (!(cause instanceof ClientError)) {
    return new DuesError('connection_error', 'dues did not answer.', { cause });
  }
  const { response } = cause;
  return errorIn(response.errors, { status: response.status, headers: new Headers(response.headers) }, cause);
}

function isCode(code: unknown): code is DuesErrorCode {
  return typeof code === 'string' && CODES.includes(code);
}
