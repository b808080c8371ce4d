import type { AppContext } from '../../../app.ts';
import { systemClock } from '../../../clock.ts';
import { decryptSecret } from '../../../secrets.ts';
import { webhookBody } from '../../event/webhook-body.ts';
import type { Connections } from '../post/connections.ts';
import { postWebhook } from '../post/post-webhook.ts';
import { signatureHeaders } from '../post/signature.ts';
import type { Claimed } from './claim-deliveries.ts';
import type { Tried } from './settle-deliveries.ts';

const TIMEOUT_MS = 15_000;

/** One HTTP try of a delivery. Never rejects. */
export async function sendDelivery(
  { config, clock }: Pick<AppContext, 'config' | 'clock'>,
  connections: Connections,
  claimed: Claimed,
): Promise<Tried> {
  const body = JSON.stringify(
    webhookBody({
      id: claimed.eventId,
      type: claimed.type,
      createdAt: claimed.happenedAt,
      sequence: claimed.sequence,
      data: claimed.data,
    }),
  );
  const signed = signatureHeaders({
    id: claimed.eventId,
    // The receiver's clock, not the billing clock: it refuses what was signed long ago by its own time.
    timestampSeconds: Math.floor(systemClock.now().getTime() / 1000),
    body,
    secrets: validSecrets(claimed, clock.now()).map((secret) => decryptSecret(config.secretKey, secret)),
  });
  const started = performance.now();
  const result = await postWebhook(connections, {
    url: claimed.url,
    environment: claimed.environment,
    headers: { 'content-type': 'application/json', 'user-agent': 'dues-webhooks/1', ...signed },
    body,
    hostsAllowed: config.webhookHostsAllowed,
    timeoutMs: TIMEOUT_MS,
  });
  return { claimed, result, durationMs: Math.round(performance.now() - started) };
}

function validSecrets(claimed: Claimed, now: Date): Uint8Array[] {
  const { encryptedSecret, encryptedPreviousSecret: previous, previousSecretUntil: until } = claimed;
  return previous && until && now < until ? [encryptedSecret, previous] : [encryptedSecret];
}
