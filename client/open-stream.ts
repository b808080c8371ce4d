import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { print } from 'graphql';
import { type DuesError, errorIn, type GraphqlError } from './dues-error.ts';

/**
 * Time without data after which the connection counts as broken. The server sends data at least
 * every 12 seconds.
 */
const SILENT_MS = 40_000;

export interface StreamOptions {
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** Called when the server has accepted the subscription. */
  readonly onOpen?: (() => void) | undefined;
}

interface Message<Result> {
  readonly data?: Result | null;
  readonly errors?: readonly GraphqlError[];
}

/**
 * Yields the results of a GraphQL subscription over one connection of Server-Sent Events. Ends when
 * the server ends it.
 *
 * @throws DuesError from the server; the error of `fetch` if the connection breaks
 */
export async function* openStream<Result, V>(
  document: TypedDocumentNode<Result, V>,
  variables: V,
  { endpoint, headers, signal, onOpen }: StreamOptions,
): AsyncGenerator<Result, void, undefined> {
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), SILENT_MS);
  const anyAbort = AbortSignal.any([silence.signal, ...(signal ? [signal] : [])]);
  try {
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({ query: print(document), variables }),
      signal: anyAbort,
    });
    if (!response.ok || !response.body) throw await errorOfResponse(response);
    onOpen?.();
    const decoder = new TextDecoder();
    const text = new TransformStream<Uint8Array, string>({
      transform(chunk, controller) {
        timer.refresh();
        controller.enqueue(decoder.decode(chunk, { stream: true }));
      },
    });
    const messages = response.body.pipeThrough(text).pipeThrough(new EventSourceParserStream());
    for await (const { event, data } of messages) {
      if (event === 'complete') return;
      if (event !== 'next') continue;
      const result = JSON.parse(data) as Message<Result>;
      if (result.errors || !result.data) throw errorIn(result.errors, response);
      yield result.data;
    }
  } finally {
    clearTimeout(timer);
    // Closes the connection, also if the caller stopped reading.
    silence.abort();
  }
}

async function errorOfResponse(response: Response): Promise<DuesError> {
  const body: unknown = await response.json().catch(() => undefined);
  return errorIn((body as Message<unknown> | undefined)?.errors, response);
}
