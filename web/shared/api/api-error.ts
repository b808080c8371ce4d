/** An error of the API, with the parts that a page shows. */
export class ApiError extends Error {
  readonly code: string;
  /** The argument that is wrong: `input.name`. Forms show the message beside its field. */
  readonly param: string | undefined;
  /** The id of the request, which is also in the server's log. */
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

/** Whether the error says that nobody is signed in: the member or portal session has ended. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'authentication_error';
}
