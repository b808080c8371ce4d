import { YogaServer } from 'graphql-yoga';
import type { GraphqlContext, GraphqlServer } from './context.ts';
import { countOperation } from './count-operation.ts';
import { documentLimits } from './document-limits.ts';
import { liveAccepted } from './live-accepted.ts';
import { publicErrors, publicGraphqlError } from './public-errors.ts';
import { schema } from './schema.ts';

export interface GraphqlHandler {
  /** Answers a request that came with POST and JSON. The context becomes the operation's: each has its own. */
  answer(request: Request, context: GraphqlContext): Promise<Response>;
  /** The engine of the WebSockets' operations. */
  readonly getEnveloped: YogaServer<GraphqlContext, object>['getEnveloped'];
}

/**
 * Yoga, for requests and as the engine of the WebSockets. Without its adapter for servers: hono is ours, and the adapter
 * wraps every context once more.
 */
export function createGraphqlHandler({ app }: GraphqlServer): GraphqlHandler {
  const yoga = new YogaServer<GraphqlContext, object>({
    schema,
    plugins: [...documentLimits, liveAccepted, countOperation, publicErrors],
    // What no plugin sees: documents that cannot be parsed or are not valid, streams that break.
    maskedErrors: { maskError: (error) => publicGraphqlError(error, app.log), errorMessage: '' },
    logging: false,
    graphiql: false,
    landingPage: false,
    batching: false,
    multipart: false,
    // The router's own limit is smaller, and does not make a stream of every body.
    maxRequestBodySize: false,
    // The API is for servers, and for pages of our own origin.
    cors: false,
    fetchAPI: { Request, Response: HonoResponse, Headers, ReadableStream, URL } as never,
  });
  return {
    getEnveloped: yoga.getEnveloped,
    answer: async (request, context) => yoga.handle(request, context as never),
  };
}

/** What `Response` is once hono's server has started: one whose text is sent without a stream. */
class HonoResponse {
  constructor(body?: BodyInit | null, init?: ResponseInit) {
    // biome-ignore lint/correctness/noConstructorReturn: it stands for a class that is not there yet
    return new Response(body, init);
  }
}
