import { systemClock } from '../../../clock.ts';
import type { WebhookBody } from '../../event/webhook-body.ts';
import { signatureHeaders } from './signature.ts';

/** The signatures of one request. They are stored with the attempt, and its headers follow. */
export interface RequestSignatures {
  /** The value of `x-webhook-signature`. */
  readonly signature: string;
  /** The value of `webhook-signature`, of Standard Webhooks. */
  readonly standardSignature: string;
}

/** The request for an event: its body and all headers, with both signatures, signed now. */
export function signedRequest(event: WebhookBody, secrets: readonly string[]) {
  const body = JSON.stringify(event);
  const headers = signatureHeaders({
    id: event.id,
    // Real time, not the billing clock: the endpoint's server refuses signatures that are old by
    // its own clock.
    timestampSeconds: Math.floor(systemClock.now().getTime() / 1000),
    body,
    secrets,
  });
  const signatures: RequestSignatures = {
    signature: headers['x-webhook-signature'],
    standardSignature: headers['webhook-signature'],
  };
  return { body, signatures, headers: requestHeaders(event.id, signatures) };
}

/** The headers of a request for the event with this id, in the order in which they are sent. */
export function requestHeaders(
  eventId: string,
  { signature, standardSignature }: RequestSignatures,
): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': 'dues-webhooks/1',
    'x-webhook-signature': signature,
    'webhook-id': eventId,
    // The signature begins with its time: `t=1764547200,v1=...`.
    'webhook-timestamp': /^t=(\d+)/.exec(signature)?.[1] ?? '',
    'webhook-signature': standardSignature,
  };
}
