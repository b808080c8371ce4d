import type { ReceivedWebhook } from './webhook-receiver.ts';

/**
 * Summarises webhooks in one line: the number of each event, with the collected amount for payments
 * and the names of the customers for other events.
 */
export function summarizeWebhooks(
  webhooks: readonly ReceivedWebhook[],
  nameOf: (subscription: string) => string,
): string {
  const byEvent = Map.groupBy(webhooks, ({ event }) => event.replace('subscription.', ''));
  const parts = [...byEvent].map(([event, webhooks]) => {
    const detail = event === 'payment_succeeded' ? sumText(webhooks) : nameList(webhooks, nameOf);
    return `${webhooks.length} × ${event} (${detail})`;
  });
  return parts.length === 0 ? 'no webhooks' : parts.join(', ');
}

function sumText(webhooks: readonly ReceivedWebhook[]): string {
  const units = webhooks.reduce((sum, { data }) => sum + BigInt(data.amount ?? 0), 0n);
  return `${(Number(units) / 1e6).toFixed(2)} USDC`;
}

const MAX_NAMES = 5;

function nameList(webhooks: readonly ReceivedWebhook[], nameOf: (subscription: string) => string): string {
  const all = webhooks.map(({ data }) => nameOf(data.subscriptionId));
  return [...all.slice(0, MAX_NAMES), ...(all.length > MAX_NAMES ? ['…'] : [])].join(', ');
}
