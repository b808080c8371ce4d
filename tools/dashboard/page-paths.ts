import type { MemberClient } from './member-client.ts';
import { dashboardRoutes } from './routes.ts';

interface Nodes<Node> {
  readonly edges: readonly { readonly node: Node }[];
}

interface MerchantRows {
  readonly plans: Nodes<{ planId: string }>;
  readonly subscriptionsConnection: Nodes<{ lifeId: string; customer: { id: string } }>;
  readonly payments: Nodes<{ id: string }>;
}

interface SentTestWebhook {
  readonly sendTestWebhook: { readonly id: string; readonly event: { readonly id: string } };
}

/**
 * Creates an endpoint, a delivery and a discount. Returns the paths of all pages that require a sign-in, with
 * ids of the merchant's rows.
 */
export async function preparePaths({ ask }: MemberClient): Promise<string[]> {
  const { plans, subscriptionsConnection, payments } = await ask<MerchantRows>(`{
    plans(first: 1) { edges { node { planId } } }
    subscriptionsConnection(first: 1) { edges { node { lifeId customer { id } } } }
    payments(first: 1) { edges { node { id } } }
  }`);
  const { createWebhookEndpoint } = await ask<{ createWebhookEndpoint: { endpoint: { id: string } } }>(
    'mutation { createWebhookEndpoint(url: "https://shop.example/webhook") { endpoint { id } } }',
  );
  const endpointId = createWebhookEndpoint.endpoint.id;
  const { sendTestWebhook: delivery } = await ask<SentTestWebhook>(
    'mutation ($id: ID!) { sendTestWebhook(endpointId: $id) { id event { id } } }',
    { id: endpointId },
  );
  const { createDiscount: discount } = await ask<{ createDiscount: { id: string } }>(
    'mutation ($input: CreateDiscountInput!) { createDiscount(input: $input) { id } }',
    { input: { name: 'First payment', code: 'WELCOME', percentBps: 2_000, periods: 1 } },
  );
  const { lifeId, customer } = first(subscriptionsConnection);
  const ids: Readonly<Record<string, string>> = {
    '/plans/$planId': `/plans/${first(plans).planId}`,
    '/subscriptions/$id': `/subscriptions/${lifeId}`,
    '/discounts/$id': `/discounts/${discount.id}`,
    '/payments/$id': `/payments/${first(payments).id}`,
    '/customers/$id': `/customers/${customer.id}`,
    '/webhooks/$id': `/webhooks/${endpointId}`,
    '/deliveries/$id': `/deliveries/${delivery.id}`,
    '/events/$id': `/events/${delivery.event.id}`,
  };
  return [...dashboardRoutes()].map((route) => {
    const path = ids[route] ?? route;
    if (path.includes('$')) throw new Error(`There is no id for ${route}`);
    return path;
  });
}

function first<Node>({ edges: [edge] }: Nodes<Node>): Node {
  if (!edge) throw new Error('The story created no row that this page needs');
  return edge.node;
}
