import type { TypedDocumentString } from '../../generated/graphql.ts';
import { ApiError } from './api-error.ts';
import { environment } from './environment.ts';

interface GraphqlAnswer<Result> {
  readonly data?: Result | null;
  readonly errors?: readonly {
    readonly message: string;
    readonly extensions?: { readonly code?: string; readonly param?: string };
  }[];
}

/**
 * Sends a document to the API as the signed-in member, in the environment of this page.
 *
 * @throws ApiError with the server's code, message and param; `unreachable` without a connection
 */
export async function ask<Result, Variables>(
  document: TypedDocumentString<Result, Variables>,
  variables: Variables,
  signal?: AbortSignal,
): Promise<Result> {
  const response = await fetch('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-dues-environment': environment },
    body: JSON.stringify({ query: document.toString(), variables }),
    ...(signal && { signal }),
  }).catch((cause: unknown) => {
    if (signal?.aborted) throw cause;
    throw new ApiError({ code: 'unreachable', message: 'The server is not responding.' });
  });
  const requestId = response.headers.get('x-request-id') ?? undefined;
  const answer: GraphqlAnswer<Result> = await response.json().catch(() => ({}));
  const [error] = answer.errors ?? [];
  if (error || !answer.data) {
    const message = error?.message ?? `The server responded with status ${response.status}.`;
    throw new ApiError({ code: 'internal_error', ...error?.extensions, message, requestId });
  }
  return answer.data;
}
