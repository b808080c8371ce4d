import type { AppContext } from '../../../app.ts';
import { type Environment, Prisma } from '../../../generated/prisma/client.ts';

/** The first steps of a new merchant, in order. */
export const ONBOARDING_STEPS = [
  'PROFILE',
  'PLAN_ACTIVE',
  'API_KEY',
  'WEBHOOK_DELIVERED',
  'TEST_CHECKOUT',
  'PAYMENT',
  'LIVE',
] as const;

export type OnboardingStepName = (typeof ONBOARDING_STEPS)[number];

export interface OnboardingStep {
  readonly step: OnboardingStepName;
  /** Null until it is done. */
  readonly doneAt: Date | null;
}

export interface Onboarding {
  readonly steps: readonly OnboardingStep[];
  /** When a member closed the list; null if none did. */
  readonly dismissedAt: Date | null;
}

/** Maximum plans and payments, oldest first, that are searched for a published or paid one. */
const OLDEST = 1_000;

interface FirstTimes {
  readonly environment: Environment;
  readonly plan: Date | null;
  readonly key: Date | null;
  readonly delivered: Date | null;
  readonly checkout: Date | null;
  readonly paid: Date | null;
}

/**
 * The steps of a merchant, in both environments together. Steps for an environment that is not
 * configured are left out. Each first row is found by an index.
 */
export async function getOnboarding(
  { config, db }: Pick<AppContext, 'config' | 'db'>,
  merchantId: string,
): Promise<Onboarding> {
  const [merchant, firsts, updated] = await Promise.all([
    db.merchant.findUniqueOrThrow({ where: { id: merchantId } }),
    db.$queryRaw<FirstTimes[]>(firstsOf(merchantId)),
    db.auditEntry.findFirst({
      where: { merchantId, targetId: merchantId, action: 'merchant.updated' },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
      select: { createdAt: true },
    }),
  ]);
  const isProfiled = merchant.supportEmail !== null || merchant.logoUrl !== null;
  const first = (name: Exclude<keyof FirstTimes, 'environment'>) => earliest(firsts.map((row) => row[name]));
  const firstsIn = (environment: Environment) => firsts.find((row) => row.environment === environment);
  const doneAt: Record<OnboardingStepName, Date | null> = {
    PROFILE: isProfiled ? (updated?.createdAt ?? merchant.createdAt) : null,
    PLAN_ACTIVE: first('plan'),
    API_KEY: first('key'),
    WEBHOOK_DELIVERED: first('delivered'),
    TEST_CHECKOUT: firstsIn('TEST')?.checkout ?? null,
    PAYMENT: first('paid'),
    LIVE: firstsIn('LIVE')?.plan ?? null,
  };
  const { TEST, LIVE } = config.clusters;
  const steps = ONBOARDING_STEPS.filter(
    (step) => (step !== 'TEST_CHECKOUT' || TEST) && (step !== 'LIVE' || LIVE),
  );
  return {
    steps: steps.map((step) => ({ step, doneAt: doneAt[step] })),
    dismissedAt: merchant.onboardingDismissedAt,
  };
}

function firstsOf(merchantId: string): Prisma.Sql {
  const inScope = Prisma.sql`"merchantId" = ${merchantId}::uuid AND "environment" = e."environment"`;
  const oldest = Prisma.sql`ORDER BY "createdAt", "id" LIMIT ${OLDEST}`;
  const first = Prisma.sql`ORDER BY "createdAt", "id" LIMIT 1`;
  return Prisma.sql`
    SELECT e."environment",
      (SELECT min("publishedAt") FROM (SELECT "publishedAt" FROM "Plan" WHERE ${inScope} ${oldest}) AS "plans") AS "plan",
      (SELECT "createdAt" FROM "ApiKey" WHERE ${inScope} ${first}) AS "key",
      (SELECT "createdAt" FROM "Delivery" WHERE ${inScope} AND "status" = 'SUCCEEDED' ${first}) AS "delivered",
      (SELECT "createdAt" FROM "Subscription" WHERE ${inScope} ${first}) AS "checkout",
      (SELECT min("paidAt") FROM (SELECT "paidAt" FROM "Payment" WHERE ${inScope} ${oldest}) AS "payments") AS "paid"
    FROM unnest(ARRAY['TEST', 'LIVE']::"Environment"[]) AS e("environment")`;
}

function earliest(times: readonly (Date | null)[]): Date | null {
  const known = times.flatMap((time) => (time ? [time.getTime()] : []));
  return known.length === 0 ? null : new Date(Math.min(...known));
}
