import { systemClock } from '../../../clock.ts';
import type { WebhookBody } from '../../event/webhook-body.ts';
import { signatureHeaders } from './signature.ts';

/** The request for an event: its body and all headers, with both signatures, signed now. */
export function signedRequest(event: WebhookBody, secrets: readonly string[]) {
  const body = JSON.stringify(event);
  const signatures = signatureHeaders({
    id: event.id,
    // Real time, not the billing clock: the endpoint's server refuses signatures that are old by
    // its own clock.
    timestampSeconds: Math.floor(systemClock.now().getTime() / 1000),
    body,
    secrets,
  });
  return {
    body,
    headers: { 'content-type': 'application/json', 'user-agent': 'dues-webhooks/1', ...signatures },
  };
}
