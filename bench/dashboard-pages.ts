import type { BrowserContext } from 'playwright-core';
import { axeFindings, type Look } from '../tools/axe.ts';
import { findBrokenWords } from '../tools/broken-words.ts';
import { dashboardRoutes } from '../tools/dashboard-routes.ts';
import type { MemberClient } from './dashboard-member.ts';

const THEMES = ['light', 'dark'] as const;
const WIDTHS = [320, 768, 1440];
const LOOKS: readonly Look[] = THEMES.flatMap((colorScheme) =>
  WIDTHS.map((width) => ({ colorScheme, width })),
);

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
 * Creates an endpoint and a delivery. Returns the paths of all pages that require a sign-in, with
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
  return [...dashboardRoutes()].map((route) => {
    const path = ids[route] ?? route;
    if (path.includes('$')) throw new Error(`The bench has no id for ${route}`);
    return path;
  });
}

function first<Node>({ edges: [edge] }: Nodes<Node>): Node {
  if (!edge) throw new Error('The story of the bench created no row that this page needs');
  return edge.node;
}

/** Widths of the window at which words may not break: a phone, a tablet, a desktop. */
const WORD_WIDTHS = [390, 720, 1440];

/**
 * The findings of axe on every page, in both themes and three widths, the violations of the content
 * security policy, and the broken words.
 *
 * @param paths the paths of the pages: see `preparePaths`
 */
export async function inspectPages(
  context: BrowserContext,
  { origin }: MemberClient,
  paths: readonly string[],
) {
  const page = await context.newPage();
  const violations: string[] = [];
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) violations.push(message.text());
  });
  const findings: string[] = [];
  const words: string[] = [];
  for (const path of paths) {
    await page.goto(`${origin}/dashboard/test${path}`);
    await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    findings.push(...(await axeFindings(page, LOOKS)).map((finding) => `${path} ${finding}`));
    words.push(...(await findBrokenWords(page, WORD_WIDTHS)).map((word) => `${path} ${word}`));
  }
  await page.close();
  return { looks: paths.length * LOOKS.length, findings, violations, words };
}
