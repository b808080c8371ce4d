import { systemClock } from '../../../../clock.ts';
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

/** Libraries accept a signature for this time, so a request can be sent again within it. */
const ACCEPTED_MS = 5 * 60_000;

/** Whether servers may still accept the signatures of a request. */
export function isStillAccepted({ signature }: Pick<RequestSignatures, 'signature'>): boolean {
  return Number(timestampOf(signature)) * 1000 > systemClock.now().getTime() - ACCEPTED_MS;
}

/**
 * The headers of a request for the event with this id, in the order in which they are sent. Only
 * the signatures are stored: the other headers are those of this release.
 */
export function requestHeaders(
  eventId: string,
  { signature, standardSignature }: RequestSignatures,
): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': 'dues-webhooks/1',
    'x-webhook-signature': signature,
    'webhook-id': eventId,
    'webhook-timestamp': timestampOf(signature),
    'webhook-signature': standardSignature,
  };
}

/** The time at which a request was signed, in unix seconds: `t=1764547200,v1=...`. */
function timestampOf(signature: string): string {
  return /^t=(\d+)/.exec(signature)?.[1] ?? '';
}
