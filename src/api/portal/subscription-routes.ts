import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { forPublic } from '../../domain/accounts/merchant/for-public.ts';
import { CANCELLATION_REASONS } from '../../domain/billing/lifecycle/cancellation-feedback.ts';
import { WALLET_ACTIONS } from '../../domain/billing/read/wallet-transaction.ts';
import {
  cancelInPortal,
  pauseInPortal,
  transactionInPortal,
  undoInPortal,
  unpauseInPortal,
  updateBillingInPortal,
} from '../../domain/portal/change-subscription.ts';
import { listPortalDuplicates } from '../../domain/portal/portal-duplicates.ts';
import type { PortalCaller } from '../../domain/portal/portal-session.ts';
import {
  findPortalSubscription,
  listPortalPayments,
  listPortalSubscriptions,
} from '../../domain/portal/portal-subscriptions.ts';
import type { GraphqlServer } from '../graphql/context.ts';
import { requestOriginOf } from '../http/request-origin.ts';
import { takeOrRefuse } from '../http/take-or-refuse.ts';
import { PORTAL_CHANGES, WALLET_READS } from '../rate-limit/rate-limit.ts';
import { exactObject } from '../rest/exact-object.ts';
import { HIDDEN } from '../rest/hidden-route.ts';
import { jsonBody } from '../rest/responses.ts';
import type { DuplicatesAnswer, PaymentsAnswer, SubscriptionsAnswer, TransactionAnswer } from './answers.ts';
import {
  describeBilling,
  describeDuplicates,
  describePayment,
  describeSubscription,
  describeSubscriptions,
} from './describe.ts';
import { type PortalEnv, portalCallerOf } from './portal-access.ts';

const params = z.object({ id: z.string() });
const query = exactObject({ before: z.string().optional() });
const ONE_PATH = '/api/portal/subscriptions/{id}';

const list = createRoute({
  ...HIDDEN,
  method: 'get',
  path: '/api/portal/subscriptions',
  request: { query },
});

const duplicates = createRoute({ ...HIDDEN, method: 'get', path: '/api/portal/duplicates' });

const one = createRoute({ ...HIDDEN, method: 'get', path: ONE_PATH, request: { params } });

const payments = createRoute({
  ...HIDDEN,
  method: 'get',
  path: `${ONE_PATH}/payments`,
  request: { params, query },
});

const billing = createRoute({
  ...HIDDEN,
  method: 'get',
  path: `${ONE_PATH}/billing`,
  request: { params },
});

const changeBilling = createRoute({
  ...HIDDEN,
  method: 'post',
  path: `${ONE_PATH}/billing`,
  request: {
    params,
    body: jsonBody(
      exactObject({
        billingName: z.string().nullish(),
        billingAddress: z.string().nullish(),
        taxId: z.string().nullish(),
      }),
    ),
  },
});

const cancel = createRoute({
  ...HIDDEN,
  method: 'post',
  path: `${ONE_PATH}/cancel`,
  request: {
    params,
    body: jsonBody(
      exactObject({ reason: z.enum(CANCELLATION_REASONS).nullish(), comment: z.string().nullish() }),
    ),
  },
});

const undo = createRoute({
  ...HIDDEN,
  method: 'post',
  path: `${ONE_PATH}/undo`,
  request: { params, body: jsonBody(exactObject({})) },
});

const pause = createRoute({
  ...HIDDEN,
  method: 'post',
  path: `${ONE_PATH}/pause`,
  request: { params, body: jsonBody(exactObject({ periods: z.int() })) },
});

const unpause = createRoute({
  ...HIDDEN,
  method: 'post',
  path: `${ONE_PATH}/unpause`,
  request: { params, body: jsonBody(exactObject({ chargeNow: z.boolean() })) },
});

const transaction = createRoute({
  ...HIDDEN,
  method: 'post',
  path: `${ONE_PATH}/transaction`,
  request: { params, body: jsonBody(exactObject({ action: z.enum(WALLET_ACTIONS) })) },
});

/** Adds the routes that show and change a customer's subscriptions. */
export function routePortalSubscriptions(
  router: OpenAPIHono<PortalEnv>,
  { app, limits }: GraphqlServer,
): void {
  // Calls of the cluster count against the limit for callers without a key.
  const ctx = forPublic(app);

  function readsOf(c: Context<PortalEnv>, { mayRefuse }: { mayRefuse: boolean }) {
    // The headers of a response that is not refused must not state a refusal.
    const reporter = mayRefuse ? c : { set: () => undefined };
    const beforeRead = (count: number) =>
      takeOrRefuse(reporter, limits, WALLET_READS, c.get('countsAgainst'), count);
    return { beforeRead, mayRefuse };
  }

  async function detailOf(c: Context<PortalEnv>, id: string, { mayRefuse }: { mayRefuse: boolean }) {
    const caller = portalCallerOf(c.get('portal'));
    const subscription = await findPortalSubscription(ctx, caller, id);
    return describeSubscription(ctx, caller, subscription, readsOf(c, { mayRefuse }));
  }

  /** The subscription after a change, which must not look failed because a limit is reached. */
  const detailAfterChange = (c: Context<PortalEnv>, id: string) => detailOf(c, id, { mayRefuse: false });

  /**
   * Counts a change of the caller's own subscription. Cancellations are not counted and never
   * refused: a repeated one changes nothing unless the first was undone.
   */
  async function countChange(c: Context<PortalEnv>, id: string): Promise<PortalCaller> {
    const caller = portalCallerOf(c.get('portal'));
    const found = await findPortalSubscription(ctx, caller, id);
    await takeOrRefuse(c, limits, PORTAL_CHANGES, found.id);
    return caller;
  }

  router.openapi(list, async (c) => {
    const caller = portalCallerOf(c.get('portal'));
    const { rows, hasMore } = await listPortalSubscriptions(ctx, caller, c.req.valid('query').before);
    const subscriptions = await describeSubscriptions(ctx, rows, readsOf(c, { mayRefuse: false }));
    const answer: SubscriptionsAnswer = { subscriptions, hasMore };
    return c.json(answer);
  });
  router.openapi(duplicates, async (c) => {
    const found = await listPortalDuplicates(ctx, portalCallerOf(c.get('portal')));
    const reads = readsOf(c, { mayRefuse: true });
    const answer: DuplicatesAnswer = { duplicates: await describeDuplicates(ctx, found, reads) };
    return c.json(answer);
  });
  router.openapi(one, async (c) => c.json(await detailOf(c, c.req.valid('param').id, { mayRefuse: true })));
  router.openapi(payments, async (c) => {
    const caller = portalCallerOf(c.get('portal'));
    const { before } = c.req.valid('query');
    const { rows, hasMore } = await listPortalPayments(ctx, caller, c.req.valid('param').id, before);
    const answer: PaymentsAnswer = { payments: rows.map((row) => describePayment(ctx.config, row)), hasMore };
    return c.json(answer);
  });
  router.openapi(billing, async (c) => {
    const caller = portalCallerOf(c.get('portal'));
    const { customer } = await findPortalSubscription(ctx, caller, c.req.valid('param').id);
    return c.json(describeBilling(customer));
  });
  router.openapi(changeBilling, async (c) => {
    const { id } = c.req.valid('param');
    const caller = await countChange(c, id);
    const changed = await updateBillingInPortal(ctx, caller, id, c.req.valid('json'), requestOriginOf(c));
    return c.json(describeBilling(changed));
  });
  router.openapi(cancel, async (c) => {
    const { id } = c.req.valid('param');
    const { reason, comment } = c.req.valid('json');
    const feedback = { reason: reason ?? undefined, comment: comment ?? undefined };
    await cancelInPortal(ctx, portalCallerOf(c.get('portal')), id, feedback, requestOriginOf(c));
    return c.json(await detailAfterChange(c, id));
  });
  router.openapi(undo, async (c) => {
    const { id } = c.req.valid('param');
    await undoInPortal(ctx, await countChange(c, id), id, requestOriginOf(c));
    return c.json(await detailAfterChange(c, id));
  });
  router.openapi(pause, async (c) => {
    const { id } = c.req.valid('param');
    const { periods } = c.req.valid('json');
    await pauseInPortal(ctx, await countChange(c, id), id, periods, requestOriginOf(c));
    return c.json(await detailAfterChange(c, id));
  });
  router.openapi(unpause, async (c) => {
    const { id } = c.req.valid('param');
    const { chargeNow } = c.req.valid('json');
    await unpauseInPortal(ctx, await countChange(c, id), id, chargeNow, requestOriginOf(c));
    return c.json(await detailAfterChange(c, id));
  });
  router.openapi(transaction, async (c) => {
    const { id } = c.req.valid('param');
    const { action } = c.req.valid('json');
    const answer: TransactionAnswer = {
      transaction: await transactionInPortal(ctx, portalCallerOf(c.get('portal')), id, action),
    };
    return c.json(answer);
  });
}
