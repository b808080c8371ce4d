import type { IncomingMessage, ServerResponse } from 'node:http';
import { RequestError } from '@hono/node-server';
import type { GraphqlServer } from '../graphql/context.ts';
import { lowerCaseMediaType } from './lower-case-media-type.ts';
import { assertOneHost, refuseUnreadable } from './unreadable-requests.ts';

/** Answers an admitted request, even if it cannot be read. */
export async function answerRequest(
  { admission, limits, app }: GraphqlServer,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  answer: (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>,
): Promise<void> {
  try {
    assertOneHost(incoming);
    lowerCaseMediaType(incoming);
    await answer(incoming, outgoing);
  } catch (error) {
    if (error instanceof RequestError) {
      const address = admission.addressOf(incoming);
      await refuseUnreadable(limits, address, { incoming, outgoing }, `${error.message}.`);
      return;
    }
    app.log.error({ err: error }, 'request failed');
    outgoing.destroy();
  }
}
