import { YogaServer } from 'graphql-yoga';
import type { GraphqlContext, GraphqlServer } from '../context.ts';
import { countOperation } from '../plugins/count-operation.ts';
import { documentLimits } from '../plugins/document-limits.ts';
import { schema } from '../schema.ts';
import { keptIntrospection } from './kept-introspection.ts';
import { liveAccepted } from './live-accepted.ts';
import { publicErrors, publicGraphqlError } from './public-errors.ts';

export interface GraphqlHandler {
  /**
   * Answers a POST request with a JSON body. The context must not be shared, because the operation
   * changes it.
   */
  answer(request: Request, context: GraphqlContext): Promise<Response>;
  /** The engine that runs WebSocket operations. */
  readonly getEnveloped: YogaServer<GraphqlContext, object>['getEnveloped'];
}

/**
 * Creates Yoga for HTTP requests and for WebSocket operations. It does not use Yoga's server
 * adapter, because Hono serves the requests and the adapter would wrap every context again.
 */
export function createGraphqlHandler({ app }: GraphqlServer): GraphqlHandler {
  const yoga = new YogaServer<GraphqlContext, object>({
    schema,
    plugins: [...documentLimits, liveAccepted, countOperation, keptIntrospection(), publicErrors],
    // Masks errors that no plugin sees: unparsable or invalid documents.
    maskedErrors: { maskError: (error) => publicGraphqlError(error, app.log), errorMessage: '' },
    logging: false,
    graphiql: false,
    landingPage: false,
    batching: false,
    multipart: false,
    // The router's own limit is smaller and does not turn every body into a stream.
    maxRequestBodySize: false,
    // The API is for servers and for pages on our own origin.
    cors: false,
    fetchAPI: { Request, Response: HonoResponse, Headers, ReadableStream, URL } as never,
  });
  return {
    getEnveloped: yoga.getEnveloped,
    answer: async (request, context) => yoga.handle(request, context as never),
  };
}

/**
 * Creates the global `Response` at the time of the call. Hono's server replaces that class with one
 * that sends text without a stream.
 */
class HonoResponse {
  constructor(body?: BodyInit | null, init?: ResponseInit) {
    // biome-ignore lint/correctness/noConstructorReturn: it replaces a class that is loaded later
    return new Response(body, init);
  }
}
