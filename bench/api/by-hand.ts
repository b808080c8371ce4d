// The baseline of the API bench: the same responses with `node:http`, `pg` and a minimum of code.
// It looks up the key in the statement that reads the page, counts no requests, checks no input,
// and has no GraphQL.
import { randomBytes } from 'node:crypto';
import { answerByHand, answerJson, type ByHand } from '../lib/answer-by-hand.ts';

const PAGE = `
  SELECT s."address", s."status", s."walletAddress", s."metadata", s."paymentCount", s."failureCount", s."nextPaymentAt",
    s."accessUntil", s."cancelAtPeriodEnd", s."startedAt", s."createdAt", c."email", c."customerId",
    p."planId", p."name", p."description", p."amount", p."intervalSeconds", p."trialPeriodSeconds", p."mint",
    (SELECT count(*) FROM "Subscription" a WHERE a."merchantId" = k."merchantId" AND a."environment" = k."environment")
      AS "total"
  FROM "ApiKey" k
  JOIN "Subscription" s ON s."merchantId" = k."merchantId" AND s."environment" = k."environment"
  JOIN "Customer" c ON c."id" = s."customerId"
  JOIN "Plan" p ON p."id" = s."planId"
  WHERE k."hash" = $1 AND k."revokedAt" IS NULL
  ORDER BY s."createdAt" DESC, s."id" DESC LIMIT 20`;

const CREATE = `
  INSERT INTO "CheckoutSession" ("id", "merchantId", "environment", "planId", "customerEmail", "successUrl", "metadata",
    "createdAt", "expiresAt")
  SELECT $2, k."merchantId", k."environment", p."id", $4, $5, $6::jsonb, now(), $7
  FROM "ApiKey" k
  JOIN "Plan" p ON p."merchantId" = k."merchantId" AND p."environment" = k."environment" AND p."planId" = $3
  WHERE k."hash" = $1 AND k."revokedAt" IS NULL AND p."status" = 'ACTIVE'`;

const STATES: Record<string, string> = {
  ACTIVE: 'active',
  PAST_DUE: 'past_due',
  CANCELLED: 'cancelled',
  EXPIRED: 'expired',
};

// biome-ignore lint/suspicious/noExplicitAny: rows as pg returns them
type Row = any;

async function readPage({ pool, key }: ByHand): Promise<Row[]> {
  return (await pool.query({ name: 'page', text: PAGE, values: [key] })).rows;
}

async function createSession({ pool, key }: ByHand, body: string): Promise<object> {
  const { input } = JSON.parse(body).variables;
  const id = `cs_${randomBytes(32).toString('base64url')}`;
  const expiresAt = new Date(Date.now() + 30 * 60_000);
  const { planId, customerEmail, successUrl, metadata } = input;
  const values = [key, id, planId, customerEmail, successUrl, JSON.stringify(metadata), expiresAt];
  await pool.query({ name: 'create', text: CREATE, values });
  const url = `http://127.0.0.1/checkout/${id}`;
  return { data: { createCheckoutSession: { id, url, expiresAt: expiresAt.toISOString() } } };
}

answerByHand(async (by, response) => {
  if (by.request.method === 'GET') return answerJson(response, restPage(await readPage(by)));
  let body = '';
  for await (const chunk of by.request) body += chunk;
  answerJson(
    response,
    body.includes('createCheckoutSession') ? await createSession(by, body) : graphqlPage(await readPage(by)),
  );
});

function pagination(rows: Row[]) {
  const total = Number(rows[0]?.total ?? 0);
  return { page: 1, limit: 20, total, pages: Math.ceil(total / 20) };
}

/** The JSON of GraphQL's page of subscriptions. */
function graphqlPage(rows: Row[]) {
  const data = rows.map((row) => ({
    id: row.address,
    status: row.status,
    walletAddress: row.walletAddress,
    startedAt: row.startedAt.toISOString(),
    nextPaymentAt: row.nextPaymentAt.toISOString(),
    paymentCount: row.paymentCount,
    customer: { email: row.email, customerId: row.customerId, walletAddress: row.walletAddress },
    plan: { planId: row.planId, name: row.name, amount: row.amount, interval: row.intervalSeconds },
  }));
  return { data: { subscriptions: { data, pagination: pagination(rows) } } };
}

/** The JSON of the REST page of subscriptions. */
function restPage(rows: Row[]) {
  const data = rows.map((row) => ({
    subscriptionId: row.address,
    state: STATES[row.status],
    customer: { email: row.email, customerId: row.customerId, walletAddress: row.walletAddress },
    plan: {
      planId: row.planId,
      planName: row.name,
      description: row.description,
      amount: row.amount,
      interval: String(row.intervalSeconds),
      trialPeriodSeconds: String(row.trialPeriodSeconds),
      mint: row.mint,
    },
    metadata: row.metadata,
    paymentNumber: row.paymentCount,
    failureCount: row.failureCount,
    nextPaymentDate: row.nextPaymentAt.toISOString(),
    accessUntil: null,
    cancelAtPeriodEnd: row.cancelAtPeriodEnd,
    startedAt: row.startedAt.toISOString(),
    createdAt: row.createdAt.toISOString(),
  }));
  return { data, pagination: pagination(rows) };
}
