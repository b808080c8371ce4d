import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { parse } from 'graphql';
import { createDuesClient, DuesError } from '../client/dues-client.ts';
import { publicPart, rootMessage } from '../src/chain/endpoint-words.ts';
import type { ApiAccess } from './api-access.ts';

/** There is no dues server at the URL, or it refused what it was asked. */
export class ApiUnusable extends Error {
  override name = 'ApiUnusable';
}

/**
 * Asks a dues server something by GraphQL.
 *
 * @throws ApiUnusable saying what is wrong, in one line
 */
export async function askApi<T>(
  access: ApiAccess,
  query: string,
  variables: Record<string, unknown> = {},
): Promise<T> {
  const document = parse(query) as TypedDocumentNode<T, Record<string, unknown>>;
  try {
    return await createDuesClient(access).request(document, variables);
  } catch (error) {
    throw apiUnusable(access, error);
  }
}

/** A call's error in words for the person at the keyboard. */
export function apiUnusable({ url }: ApiAccess, error: unknown): ApiUnusable {
  return new ApiUnusable(wordsFor(url, error), { cause: error });
}

function wordsFor(url: string, error: unknown): string {
  if (!(error instanceof DuesError)) return rootMessage(error);
  if (error.code !== 'connection_error') return error.message;
  const server = publicPart(url);
  // That is how fetch says that there was no answer.
  if (error.cause instanceof TypeError) return `${server} cannot be reached: ${rootMessage(error)}`;
  return `${server} is no dues server${error.status === undefined ? '' : `: it answered ${error.status}`}`;
}
