import { publicPart, rootMessage } from '../src/chain/endpoint-words.ts';
import type { ApiAccess } from './api-access.ts';

/** There is no dues server at the URL, or it refused what it was asked. */
export class ApiUnusable extends Error {
  override name = 'ApiUnusable';
}

interface Answer<T> {
  readonly data?: T | null;
  readonly errors?: readonly { readonly message: string }[];
}

/**
 * Asks a dues server something by GraphQL.
 *
 * @throws ApiUnusable saying what is wrong, in one line
 */
export async function askApi<T>(
  { url, apiKey }: ApiAccess,
  query: string,
  variables: object = {},
): Promise<T> {
  const server = publicPart(url);
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  }).catch((cause: unknown) => {
    throw new ApiUnusable(`${server} cannot be reached: ${rootMessage(cause)}`, { cause });
  });
  const answer = (await response.json().catch(() => ({}))) as Answer<T> & {
    readonly error?: { message?: string };
  };
  const refusal = answer.errors?.[0]?.message ?? answer.error?.message;
  if (refusal !== undefined) throw new ApiUnusable(refusal);
  if (!answer.data) throw new ApiUnusable(`${server} is no dues server: it answered ${response.status}`);
  return answer.data;
}
