import { createYoga } from 'graphql-yoga';
import type { GraphqlContext, GraphqlServer } from './context.ts';
import { countOperation } from './count-operation.ts';
import { documentLimits } from './document-limits.ts';
import { publicErrors, publicGraphqlError } from './public-errors.ts';
import { schema } from './schema.ts';

export type GraphqlHandler = ReturnType<typeof createGraphqlHandler>;

/** Yoga, for requests and as the engine of the WebSockets. */
export function createGraphqlHandler({ app }: GraphqlServer) {
  return createYoga<GraphqlContext>({
    schema,
    plugins: [...documentLimits, countOperation, publicErrors],
    // What no plugin sees: documents that cannot be parsed or are not valid, streams that break.
    maskedErrors: { maskError: (error) => publicGraphqlError(error, app.log), errorMessage: '' },
    logging: false,
    graphiql: false,
    landingPage: false,
    batching: false,
    multipart: false,
    // The API is for servers, and for pages of our own origin.
    cors: false,
    // Node's own, which hono can put its headers on.
    fetchAPI: { Request, Response, Headers, ReadableStream, URL } as never,
  });
}
