import { randomUUID } from 'node:crypto';
import { Connection, encodeRequest, type WireRequest } from './http-load.ts';

const NODE = `id status walletAddress startedAt nextPaymentAt paymentCount
  customer { email customerId walletAddress } plan { planId name amount interval }`;
const PAGE = `query Page($limit: Int) {
  subscriptions(limit: $limit) { data { ${NODE} } pagination { page limit total pages } }
}`;
const DEEP_PAGE = `query Deep($after: String) {
  subscriptionsConnection(first: 20, after: $after) { edges { cursor node { ${NODE} } } pageInfo { hasNextPage endCursor } }
}`;
const CREATE = `mutation Create($input: CreateCheckoutSessionInput!) {
  createCheckoutSession(input: $input) { id url expiresAt }
}`;

/** The newest 20 subscriptions with their customers and plans, and the total. */
export function graphqlPage(key: string): WireRequest {
  return graphql(key, PAGE, { limit: 20 });
}

/** The 20 subscriptions after one, by its id. */
export function graphqlPageAfter(key: string, id: string): WireRequest {
  return graphql(key, DEEP_PAGE, { after: Buffer.from(`GPC:S:${id}`).toString('base64') });
}

/** The newest 20 subscriptions by REST, with all fields. */
export function restPage(key: string): WireRequest {
  return encodeRequest('GET', '/api/subscriptions', headersOf(key));
}

/** The state of a customer by REST. */
export function customerState(key: string, customerId: string, tag?: string): WireRequest {
  const headers = { ...headersOf(key), ...(tag !== undefined && { 'if-none-match': tag }) };
  return encodeRequest('GET', `/api/customers/${customerId}/state`, headers);
}

/** The creation of a checkout session for the customer with that number. */
export function newCheckout(key: string, customer: number, planId = 'pro'): WireRequest {
  const input = {
    planId,
    customerEmail: `customer-${customer}@example.com`,
    successUrl: 'https://shop.example.com/thanks',
    metadata: { source: 'newsletter', order: customer },
    idempotencyKey: randomUUID(),
  };
  return graphql(key, CREATE, { input });
}

/** Creates a checkout session of a merchant, and returns its id. */
export async function openCheckout(url: string, key: string, planId: string, customer = 1): Promise<string> {
  const connection = new Connection(url);
  const { body } = await connection.ask(newCheckout(key, customer, planId));
  connection.close();
  const [id] = /cs_[\w-]+/.exec(body) ?? [];
  if (!id) throw new Error(`no checkout: ${body}`);
  return id;
}

/** A GraphQL operation with a key. */
export function graphql(key: string, query: string, variables: object): WireRequest {
  return encodeRequest('POST', '/graphql', headersOf(key), JSON.stringify({ query, variables }));
}

function headersOf(key: string): Record<string, string> {
  return {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    accept: 'application/json',
  };
}
