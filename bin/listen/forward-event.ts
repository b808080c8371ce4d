import { webhookBody } from '../../src/domain/messages/event/webhook-body.ts';
import type { Connections } from '../../src/domain/messages/webhook/post/connections.ts';
import {
  type PostResult,
  postWebhook,
  TIMEOUT_MS,
} from '../../src/domain/messages/webhook/post/post-webhook.ts';
import { signedRequest } from '../../src/domain/messages/webhook/post/signed-request.ts';
import type { FollowedEvent } from './follow-events.ts';

export interface ForwardTo {
  readonly url: string;
  readonly secret: string;
}

/**
 * Posts an event as the service posts it to an endpoint, with the same bytes, headers and timeout.
 */
export async function forwardEvent(
  connections: Connections,
  { url, secret }: ForwardTo,
  event: FollowedEvent,
): Promise<PostResult & { readonly durationMs: number }> {
  const body = webhookBody({ ...event, createdAt: new Date(event.createdAt) });
  const started = performance.now();
  const result = await postWebhook(connections, {
    ...signedRequest(body, [secret]),
    url,
    // On a developer's machine plain http and private addresses are normal.
    environment: 'TEST',
    hostsAllowed: [new URL(url).hostname],
    timeoutMs: TIMEOUT_MS,
  });
  return { ...result, durationMs: Math.round(performance.now() - started) };
}
