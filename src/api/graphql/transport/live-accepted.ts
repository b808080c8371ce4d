import { createGraphQLError, type Plugin, type YogaInitialContext } from 'graphql-yoga';
import type { GraphqlContext } from '../context.ts';

/**
 * Refuses live updates over HTTP to a client that does not accept Server-Sent Events, before a
 * stream is opened. A WebSocket operation has no `Accept` header and is not refused.
 */
export const liveAccepted: Plugin<GraphqlContext & Partial<Pick<YogaInitialContext, 'request'>>> = {
  onSubscribe: ({ args, setResultAndStopExecution }) => {
    const { request } = args.contextValue;
    if (!request || acceptsEvents(request.headers.get('accept'))) return;
    setResultAndStopExecution({ errors: [refusal()] });
  },
};

function acceptsEvents(accept: string | null): boolean {
  return !accept || /(^|,)\s*(text\/event-stream|text\/\*|\*\/\*)\s*(;|,|$)/i.test(accept);
}

function refusal() {
  return createGraphQLError('Live updates need the header Accept: text/event-stream, or a WebSocket.', {
    extensions: { code: 'invalid_request', param: 'Accept', http: { status: 400 } },
  });
}
