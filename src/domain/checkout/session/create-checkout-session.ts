import { randomBytes } from 'node:crypto';
import type { AppContext } from '../../../app.ts';
import { awaitStandby } from '../../../db/await-standby.ts';
import { combineQueries } from '../../../db/combine-queries.ts';
import { type PreparedStatement, runPrepared } from '../../../db/db.ts';
import { BillingError, invalidRequest } from '../../../errors.ts';
import type { Plan } from '../../../generated/prisma/client.ts';
import { notAllowed } from '../../accounts/merchant/allowed-redirect.ts';
import { DEFAULT_SETTINGS } from '../../accounts/merchant/settings.ts';
import { NOT_OFFERED, whyNotOffered } from '../../billing/discount/is-offered.ts';
import { acceptsSubscribers } from '../../catalog/plan/accepts-subscribers.ts';
import type { Scope } from '../../kernel/access/scope.ts';
import { isId, isStorable } from '../../kernel/input/valid-text.ts';
import { type OpenedSession, openSession, type RequestIdentity } from './open-session.ts';
import { type CheckoutRequest, fingerprintOf, type ValidRequest, validRequest } from './session-request.ts';

const LIFETIME_MS = 30 * 60 * 1000;

export interface CreatedSession {
  readonly sessionId: string;
  /** URL of the hosted page for the customer. */
  readonly url: string;
  readonly expiresAt: Date;
  /** The columns of the session if this call opened it; undefined if an earlier request did. */
  readonly opened: OpenedSession | undefined;
}

interface Session {
  readonly id: string;
  readonly expiresAt: Date;
  readonly opened?: OpenedSession;
}

/**
 * Creates a checkout session. A repeated request with the same idempotency key returns the same
 * session until it expires, whatever happens to its plan; without a key, while it is open.
 *
 * @throws BillingError invalid_request, param as in the API
 */
export async function createCheckoutSession(
  ctx: AppContext,
  scope: Scope,
  input: CheckoutRequest,
): Promise<CreatedSession> {
  const request = validRequest(input);
  if (input.merchantWallet !== undefined) await requireOwnWallet(ctx, scope, input.merchantWallet);
  const fingerprint = fingerprintOf(request);
  const key = input.idempotencyKey;
  const identity: RequestIdentity = {
    ...scope,
    // The prefixes keep a merchant's key apart from a fingerprint.
    key: key === undefined ? `request:${fingerprint.toString('hex')}` : `key:${key}`,
    fingerprint,
    onlyWhileOpen: key === undefined,
  };
  const plan = await subscribablePlan(ctx, scope, request);
  const { id, expiresAt, opened } =
    plan instanceof BillingError
      ? await requireEarlierSession(ctx, identity, plan)
      : await findOrOpenSession(ctx, identity, request, plan);
  return { sessionId: id, url: `${ctx.config.publicUrl}/checkout/${id}`, expiresAt, opened };
}

type PlanRow = Pick<Plan, 'id' | 'status' | 'endsAt' | 'mint'>;

/** A merchant's id of a plan; null if no plan can have it. */
interface AskedPlan extends Scope {
  readonly planId: string | null;
}

/** What decides about a checkout. Without a plan or settings their columns are null. */
type Decisive = { readonly redirectUrlsAllowed: string[] | null } & (PlanRow | { readonly id: null });

const FIND_PLANS: PreparedStatement = {
  name: 'checkout.find-plans',
  text: `
    SELECT p."id", p."status", p."endsAt", p."mint", m."redirectUrlsAllowed"
    FROM unnest($1::uuid[], $2::"Environment"[], $3::text[])
        WITH ORDINALITY AS asked("merchantId", "environment", "planId", "at")
      LEFT JOIN "Plan" p USING ("merchantId", "environment", "planId")
      LEFT JOIN "MerchantSettings" m USING ("merchantId", "environment")
    ORDER BY "at"`,
};

const findPlan = combineQueries((db, asked: readonly AskedPlan[]) =>
  runPrepared<Decisive>(db, FIND_PLANS, [
    asked.map(({ merchantId }) => merchantId),
    asked.map(({ environment }) => environment),
    asked.map(({ planId }) => planId),
  ]),
);

/** Our id of the plan, or why the checkout cannot be opened. */
async function subscribablePlan(
  ctx: AppContext,
  scope: Scope,
  request: ValidRequest,
): Promise<string | BillingError> {
  const { planId, priceId, discountId, successUrl, cancelUrl } = request;
  const found = await findPlan(ctx.db, { ...scope, planId: isStorable(planId) ? planId : null });
  const allowed = found.redirectUrlsAllowed ?? DEFAULT_SETTINGS.redirectUrlsAllowed;
  const refused =
    notAllowed(allowed, { successUrl, cancelUrl }) ?? (await whyNoDiscount(ctx, scope, found, discountId));
  if (refused) return refused;
  return found.id === null ? invalidRequest('planId', NO_SUCH_PLAN) : planWithPrice(ctx, found, priceId);
}

async function planWithPrice(
  { db, clock }: AppContext,
  plan: PlanRow,
  priceId: string | undefined,
): Promise<string | BillingError> {
  if (!acceptsSubscribers(plan, clock.now())) return invalidRequest('planId', whyClosed(plan));
  return (priceId === undefined ? undefined : await refusedPrice({ db }, plan.id, priceId)) ?? plan.id;
}

/** Why a session cannot have the price; undefined if it can. */
async function refusedPrice(
  { db }: Pick<AppContext, 'db'>,
  planId: string,
  priceId: string,
): Promise<BillingError | undefined> {
  const price = isId(priceId) ? await db.price.findFirst({ where: { id: priceId, planId } }) : null;
  if (!price) return invalidRequest('priceId', 'The plan has no price with this priceId.');
  if (!price.retiredAt) return undefined;
  return invalidRequest('priceId', `Version ${price.version} of the price is retired: choose another one.`);
}

/** Why a session cannot show the discount; undefined if it can, or has none. */
async function whyNoDiscount(
  { db, clock }: AppContext,
  { merchantId, environment }: Scope,
  plan: Decisive,
  id: string | undefined,
): Promise<BillingError | undefined> {
  if (id === undefined) return undefined;
  const discount = isId(id) ? await db.discount.findFirst({ where: { id, merchantId, environment } }) : null;
  if (!discount || plan.id === null) {
    return invalidRequest('discountId', 'No discount with this discountId exists.');
  }
  const refusal = whyNotOffered(discount, plan, clock.now());
  return refusal && invalidRequest('discountId', NOT_OFFERED[refusal]);
}

const NO_SUCH_PLAN = 'No plan with this planId exists in the environment of your key.';

function whyClosed({ status }: PlanRow): string {
  return status === 'DRAFT'
    ? 'The plan is a draft: sign and send its transaction first (publishPlanTransaction).'
    : 'The plan no longer accepts new subscriptions.';
}

async function requireOwnWallet({ db }: AppContext, { merchantId }: Scope, wallet: string): Promise<void> {
  const { walletAddress } = await db.merchant.findUniqueOrThrow({ where: { id: merchantId } });
  if (wallet !== walletAddress) throw invalidRequest('merchantWallet', 'merchantWallet must be your wallet.');
}

/** The session of an earlier request. @throws BillingError `refusal`, if there is none */
async function requireEarlierSession(
  ctx: AppContext,
  identity: RequestIdentity,
  refusal: BillingError,
): Promise<Session> {
  const session = await findSessionOfKey(ctx, identity);
  if (!session) throw refusal;
  await awaitStandby(ctx.db);
  return session;
}

async function findOrOpenSession(
  ctx: AppContext,
  identity: RequestIdentity,
  request: ValidRequest,
  planId: string,
): Promise<Session> {
  for (;;) {
    const session =
      (await insertSession(ctx, identity, request, planId)) ?? (await findSessionOfKey(ctx, identity));
    if (session) return session;
    // Another request held the key, and its session has ended since: the key is free now.
  }
}

async function insertSession(
  { db, clock }: AppContext,
  identity: RequestIdentity,
  request: ValidRequest,
  planId: string,
): Promise<Session | undefined> {
  const { priceId = null, discountId = null, allowsCodes = false } = request;
  const createdAt = clock.now();
  const expiresAt = new Date(createdAt.getTime() + LIFETIME_MS);
  const id = `cs_${randomBytes(32).toString('base64url')}`;
  const columns = { ...request, id, planId, priceId, discountId, allowsCodes, createdAt, expiresAt };
  const opened = await openSession(db, { ...identity, ...columns });
  return opened && { id, expiresAt, opened };
}

/**
 * The session of the request that holds the key; undefined if the key is free.
 *
 * @throws BillingError if the key was used with another request
 */
async function findSessionOfKey(
  { db, clock }: AppContext,
  { merchantId, environment, key, fingerprint, onlyWhileOpen }: RequestIdentity,
): Promise<Session | undefined> {
  const holder = await db.idempotencyKey.findUnique({
    where: { merchantId_environment_key: { merchantId, environment, key } },
  });
  if (!holder || holder.expiresAt <= clock.now()) return undefined;
  if (!fingerprint.equals(holder.fingerprint)) {
    throw invalidRequest('idempotency_key', 'idempotency_key was used with another request.');
  }
  const { sessionId: id, expiresAt } = holder;
  if (!onlyWhileOpen) return { id, expiresAt };
  const session = await db.checkoutSession.findUnique({ where: { id }, select: { status: true } });
  return !session || session.status === 'OPEN' ? { id, expiresAt } : undefined;
}
