import { ApiError } from '../../shared/api/api-error.ts';

interface Refusal {
  readonly error?: { readonly code: string; readonly message: string; readonly param?: string };
}

/**
 * Requests a route of this service: by GET or, with a body, by POST, unless a method is given.
 *
 * @throws ApiError with the server's code, message and param; `unreachable` without a connection
 */
export async function askJson<Answer>(
  path: string,
  body?: object,
  options: Pick<RequestInit, 'credentials' | 'cache' | 'method'> = {},
): Promise<Answer> {
  const response = await fetch(path, {
    ...options,
    ...(body && {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  }).catch(() => {
    throw new ApiError({ code: 'unreachable', message: 'The server is not responding.' });
  });
  const answer: Answer & Refusal = await response.json().catch(() => ({}));
  if (response.ok) return answer;
  const requestId = response.headers.get('x-request-id') ?? undefined;
  const message = `The server responded with status ${response.status}.`;
  throw new ApiError({ code: 'internal_error', message, ...answer.error, requestId });
}
