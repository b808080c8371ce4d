import type { BrowserContext } from 'playwright-core';
import { axeFindings, type Look } from '../tools/axe.ts';
import { dashboardRoutes } from '../tools/dashboard-routes.ts';
import type { SignedIn } from './dashboard-member.ts';

const THEMES = ['light', 'dark'] as const;
const WIDTHS = [320, 768, 1440];
const LOOKS: readonly Look[] = THEMES.flatMap((colorScheme) =>
  WIDTHS.map((width) => ({ colorScheme, width })),
);

interface Nodes<Node> {
  readonly edges: readonly { readonly node: Node }[];
}

interface Things {
  readonly plans: Nodes<{ planId: string }>;
  readonly subscriptionsConnection: Nodes<{ lifeId: string; customer: { id: string } }>;
  readonly payments: Nodes<{ id: string }>;
}

interface Sent {
  readonly sendTestWebhook: { readonly id: string; readonly event: { readonly id: string } };
}

/** The addresses of all pages, with things that the merchant has. */
async function addresses({ ask }: SignedIn): Promise<string[]> {
  const { plans, subscriptionsConnection, payments } = await ask<Things>(`{
    plans(first: 1) { edges { node { planId } } }
    subscriptionsConnection(first: 1) { edges { node { lifeId customer { id } } } }
    payments(first: 1) { edges { node { id } } }
  }`);
  const { createWebhookEndpoint } = await ask<{ createWebhookEndpoint: { endpoint: { id: string } } }>(
    'mutation { createWebhookEndpoint(url: "https://shop.example/webhook") { endpoint { id } } }',
  );
  const endpointId = createWebhookEndpoint.endpoint.id;
  const { sendTestWebhook: delivery } = await ask<Sent>(
    'mutation ($id: ID!) { sendTestWebhook(endpointId: $id) { id event { id } } }',
    { id: endpointId },
  );
  const { lifeId, customer } = first(subscriptionsConnection);
  const ids: Readonly<Record<string, string>> = {
    '/plans/$planId': `/plans/${first(plans).planId}`,
    '/subscriptions/$id': `/subscriptions/${lifeId}`,
    '/payments/$id': `/payments/${first(payments).id}`,
    '/customers/$id': `/customers/${customer.id}`,
    '/webhooks/$id': `/webhooks/${endpointId}`,
    '/deliveries/$id': `/deliveries/${delivery.id}`,
    '/events/$id': `/events/${delivery.event.id}`,
  };
  return [...dashboardRoutes()].map((route) => ids[route] ?? route);
}

function first<Node>({ edges: [edge] }: Nodes<Node>): Node {
  if (!edge) throw new Error('The story left nothing to look at');
  return edge.node;
}

/** What axe finds on every page, in both themes and three widths, and what its policy refused. */
export async function inspectPages(context: BrowserContext, member: SignedIn) {
  const page = await context.newPage();
  const refused: string[] = [];
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) refused.push(message.text());
  });
  const found: string[] = [];
  const all = await addresses(member);
  for (const address of all) {
    await page.goto(`${member.origin}/dashboard/test${address}`);
    await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    found.push(...(await axeFindings(page, LOOKS)).map((each) => `${address} ${each}`));
  }
  await page.close();
  return { looks: all.length * LOOKS.length, found, refused };
}
