import { createGraphQLError, type Plugin, type YogaInitialContext } from 'graphql-yoga';
import type { GraphqlContext } from './context.ts';

/**
 * Over HTTP live updates go out as Server-Sent Events only: whoever does not accept these is told, before anything is opened
 * that nobody would read. A WebSocket has no `Accept`.
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
  return createGraphQLError('Live updates need Accept: text/event-stream, or a WebSocket.', {
    extensions: { code: 'invalid_request', param: 'Accept', http: { status: 400 } },
  });
}
