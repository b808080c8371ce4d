import { systemClock } from '../../../clock.ts';
import type { WebhookBody } from '../../event/webhook-body.ts';
import { signatureHeaders } from './signature.ts';

/** What is posted of an event: its bytes, and all headers with both signatures, made for this moment. */
export function signedRequest(event: WebhookBody, secrets: readonly string[]) {
  const body = JSON.stringify(event);
  const signatures = signatureHeaders({
    id: event.id,
    // The receiver's clock, not the billing clock: it refuses what was signed long ago by its own time.
    timestampSeconds: Math.floor(systemClock.now().getTime() / 1000),
    body,
    secrets,
  });
  return {
    body,
    headers: { 'content-type': 'application/json', 'user-agent': 'dues-webhooks/1', ...signatures },
  };
}
