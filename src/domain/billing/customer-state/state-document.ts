import { z } from 'zod';
import { SubscriptionStatus } from '../../../generated/prisma/client.ts';
import { type Features, joinFeatures } from '../../catalog/plan/features.ts';
import { ACCESS_REASONS, type AccessTerms, accessOf, earliest } from './access.ts';

/** A subscription of a customer, with what its plan allows. */
export interface CustomerSubscription extends AccessTerms {
  /** Address on chain. */
  readonly subscriptionId: string;
  /** The merchant's id of the plan. */
  readonly planId: string;
  /** Null for a plan without features. */
  readonly features: Features | null;
  readonly startedAt: Date;
}

/** Maximum subscriptions in a document. */
export const MAX_SUBSCRIPTIONS = 100;

const subscription = z.object({
  subscriptionId: z.string(),
  planId: z.string(),
  status: z.enum(SubscriptionStatus),
  hasAccess: z.boolean(),
  /** ISO 8601. */
  until: z.string().nullable(),
  reason: z.enum(ACCESS_REASONS),
  startedAt: z.string(),
});

const document = z.object({
  hasAccess: z.boolean(),
  features: z.record(z.string(), z.union([z.literal(true), z.number()])),
  subscriptions: z.array(subscription),
});

/** What a customer may do, as it is stored. */
export interface StateDocument {
  /** Whether any subscription gives access. */
  readonly hasAccess: boolean;
  /** What the plans of these subscriptions allow together. */
  readonly features: Features;
  /** The subscriptions that give access first, then the newest ones. */
  readonly subscriptions: readonly z.infer<typeof subscription>[];
}

/** The document of a customer without a subscription. */
export const NO_ACCESS: StateDocument = { hasAccess: false, features: {}, subscriptions: [] };

/** Reads a stored document; undefined if another release wrote it, and this one cannot read it. */
export function parseDocument(stored: unknown): StateDocument | undefined {
  return document.safeParse(stored).data;
}

/**
 * What a customer with these subscriptions may do at a time, and when that changes by time alone. The order of
 * the subscriptions does not matter.
 */
export function stateAt(
  subscriptions: readonly CustomerSubscription[],
  now: Date,
): { readonly document: StateDocument; readonly changesAt: Date | null } {
  const accesses = subscriptions
    .map((subscription) => ({ subscription, access: accessOf(subscription, now) }))
    .sort((a, b) => order(a, b))
    .slice(0, MAX_SUBSCRIPTIONS);
  const open = accesses.filter(({ access }) => access.hasAccess);
  return {
    document: {
      hasAccess: open.length > 0,
      features: joinFeatures(open.map(({ subscription }) => subscription.features ?? {})),
      subscriptions: accesses.map(
        ({ subscription: { subscriptionId, planId, status, startedAt }, access }) => ({
          subscriptionId,
          planId,
          status,
          hasAccess: access.hasAccess,
          until: access.until?.toISOString() ?? null,
          reason: access.reason,
          startedAt: startedAt.toISOString(),
        }),
      ),
    },
    changesAt: earliest(accesses.map(({ access }) => access.changesAt)),
  };
}

type WithAccess = { subscription: CustomerSubscription; access: ReturnType<typeof accessOf> };

function order(a: WithAccess, b: WithAccess): number {
  return (
    Number(b.access.hasAccess) - Number(a.access.hasAccess) ||
    b.subscription.startedAt.getTime() - a.subscription.startedAt.getTime() ||
    (a.subscription.subscriptionId < b.subscription.subscriptionId ? -1 : 1)
  );
}
