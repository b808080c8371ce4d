import type { ReceivedWebhook } from './webhook-receiver.ts';

/** What webhooks told, in one line: how many of each event, the money that came, the names of whom others are about. */
export function newsOf(
  webhooks: readonly ReceivedWebhook[],
  nameOf: (subscription: string) => string,
): string {
  const byEvent = Map.groupBy(webhooks, ({ event }) => event.replace('subscription.', ''));
  const parts = [...byEvent].map(([event, told]) => {
    const detail = event === 'payment_succeeded' ? money(told) : names(told, nameOf);
    return `${told.length} × ${event} (${detail})`;
  });
  return parts.length === 0 ? 'no webhooks' : parts.join(', ');
}

function money(told: readonly ReceivedWebhook[]): string {
  const units = told.reduce((sum, { data }) => sum + BigInt(data.amount ?? 0), 0n);
  return `${(Number(units) / 1e6).toFixed(2)} USDC`;
}

const MOST_NAMES = 5;

function names(told: readonly ReceivedWebhook[], nameOf: (subscription: string) => string): string {
  const all = told.map(({ data }) => nameOf(data.subscriptionId));
  return [...all.slice(0, MOST_NAMES), ...(all.length > MOST_NAMES ? ['…'] : [])].join(', ');
}
