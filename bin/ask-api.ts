import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { parse } from 'graphql';
import { createDuesClient, DuesError } from '../client/dues-client.ts';
import { publicPart, rootMessage } from '../src/observability/public-urls.ts';
import type { ApiAccess } from './api-access.ts';

/** The URL has no dues server, or the server refused the request. */
export class ApiUnusable extends Error {
  override name = 'ApiUnusable';
}

/**
 * Sends a GraphQL operation to a dues server.
 *
 * @throws ApiUnusable with a message of one line
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

/** Converts a call's error to a message for the user. */
export function apiUnusable({ url }: ApiAccess, error: unknown): ApiUnusable {
  return new ApiUnusable(messageFor(url, error), { cause: error });
}

function messageFor(url: string, error: unknown): string {
  if (!(error instanceof DuesError)) return rootMessage(error);
  if (error.code !== 'connection_error') return error.message;
  const server = publicPart(url);
  // fetch reports a missing response with a TypeError.
  if (error.cause instanceof TypeError) return `${server} cannot be reached: ${rootMessage(error)}`;
  return `${server} is not a dues server${error.status === undefined ? '' : `: it responded with status ${error.status}`}`;
}
