/** An error of the API, with what a page shows of it. */
export class ApiError extends Error {
  readonly code: string;
  /** The argument that is wrong: `input.name`. Forms show the message beside its field. */
  readonly param: string | undefined;
  /** The id of the request, which the server's log has too. */
  readonly requestId: string | undefined;

  constructor({
    code,
    message,
    param,
    requestId,
  }: {
    readonly code: string;
    readonly message: string;
    readonly param?: string | undefined;
    readonly requestId?: string | undefined;
  }) {
    super(message);
    this.name = 'ApiError';
    this.code = code;
    this.param = param;
    this.requestId = requestId;
  }
}

/** Whether the member session is over. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'authentication_error';
}
