import { deliverWebhook } from '../src/domain/webhook/deliver-webhook.ts';
import { sweepDeliveries } from '../src/domain/webhook/sweep-deliveries.ts';
import type { JobHandler } from '../src/jobs/worker.ts';

/** `webhooks.deliver`: one try of one delivery. */
export const deliverWebhookJob: JobHandler<'webhooks.deliver'> = (ctx, { deliveryId }) =>
  deliverWebhook(ctx, deliveryId);

/** `webhooks.sweep`: every second. */
export const sweepWebhooksJob: JobHandler<'webhooks.sweep'> = (ctx) => sweepDeliveries(ctx);
