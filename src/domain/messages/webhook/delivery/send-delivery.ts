import type { AppContext } from '../../../../app.ts';
import { inSpan, type SpanOptions } from '../../../../observability/tracing/trace.ts';
import { decryptSecret } from '../../../../secrets.ts';
import { webhookBody } from '../../event/webhook-body.ts';
import type { Connections } from '../post/connections.ts';
import { postWebhook, TIMEOUT_MS } from '../post/post-webhook.ts';
import { signedRequest } from '../post/signed-request.ts';
import type { ClaimedDelivery } from './claim-deliveries.ts';
import type { EndedAttempt } from './settle-deliveries.ts';

/**
 * Makes one delivery attempt. Never rejects: an error before sending is an outcome too.
 */
export async function sendDelivery(
  ctx: Pick<AppContext, 'config' | 'wallClock' | 'log'>,
  connections: Connections,
  claimed: ClaimedDelivery,
): Promise<EndedAttempt> {
  const started = performance.now();
  const posted = await post(ctx, connections, claimed).catch((err): Posted => {
    ctx.log.error({ err, deliveryId: claimed.id, endpointId: claimed.endpointId }, 'webhook not sent');
    return NOT_SENT;
  });
  return { claimed, ...posted, durationMs: Math.round(performance.now() - started) };
}

type Posted = Pick<EndedAttempt, 'result' | 'signatures'>;

const NOT_SENT: Posted = {
  result: {
    statusCode: null,
    error: 'not sent: the endpoint’s secret cannot be decrypted',
    responseBody: null,
    retryAfterMs: null,
    isTimedOut: false,
  },
  signatures: null,
};

async function post(
  { config, wallClock }: Pick<AppContext, 'config' | 'wallClock'>,
  connections: Connections,
  claimed: ClaimedDelivery,
): Promise<Posted> {
  const { eventId: id, type, happenedAt: createdAt, sequence, data } = claimed;
  const secrets = validSecrets(claimed, wallClock.now()).map((secret) =>
    decryptSecret(config.secretKey, secret),
  );
  const { signatures, ...request } = signedRequest(
    webhookBody({ id, type, createdAt, sequence, data }),
    secrets,
  );
  return inSpan('webhook', spanOf(claimed), async (span) => {
    const result = await postWebhook(connections, {
      ...request,
      url: claimed.url,
      environment: claimed.environment,
      hostsAllowed: config.webhookHostsAllowed,
      timeoutMs: TIMEOUT_MS,
    });
    if (result.statusCode !== null) span.set({ 'http.response.status_code': result.statusCode });
    if (result.error !== null) span.fail();
    return { result, signatures };
  });
}

/** Attributes of the span: only ids, because a merchant's URL may contain a secret. */
function spanOf({ id, eventId, endpointId, type, attemptCount, traceparent }: ClaimedDelivery): SpanOptions {
  return {
    kind: 'client',
    follows: traceparent,
    attributes: {
      'dues.delivery': id,
      'dues.event': eventId,
      'dues.event_type': type,
      'dues.endpoint': endpointId,
      'dues.attempt': attemptCount,
    },
  };
}

function validSecrets(claimed: ClaimedDelivery, now: Date): Uint8Array[] {
  const { encryptedSecret, encryptedPreviousSecret: previous, previousSecretUntil: until } = claimed;
  return previous && until && now < until ? [encryptedSecret, previous] : [encryptedSecret];
}
