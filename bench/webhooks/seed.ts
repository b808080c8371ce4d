import type { Db } from '../../src/db/db.ts';
import type { Scope } from '../../src/domain/kernel/access/scope.ts';
import { encryptSecret, generateWebhookSecret } from '../../src/secrets.ts';
import { seedCustomer, seedPlan, seedScope, subscriptionRow } from '../../tools/world/rows.ts';

/** A merchant with one endpoint and some subscriptions. */
export interface SeededMerchant {
  readonly scope: Scope;
  readonly endpointId: string;
  readonly subscriptionIds: readonly string[];
}

export async function seedMerchant(
  db: Db,
  { secretKey, url, subscriptions }: { secretKey: Uint8Array; url: string; subscriptions: number },
): Promise<SeededMerchant> {
  const scope = await seedScope(db);
  const plan = await seedPlan(db, scope);
  const customer = await seedCustomer(db, scope);
  const endpoint = await db.webhookEndpoint.create({
    data: { ...scope, url, encryptedSecret: encryptSecret(secretKey, generateWebhookSecret()) },
  });
  const rows = await db.subscription.createManyAndReturn({
    data: Array.from({ length: subscriptions }, () =>
      subscriptionRow(plan, customer, new Date(), {
        // Due long after the bench, so that nothing is collected.
        nextAttemptAt: new Date('2100-01-01T00:00:00Z'),
        nextPaymentAt: new Date('2100-01-01T00:00:00Z'),
      }),
    ),
    select: { id: true },
  });
  return { scope, endpointId: endpoint.id, subscriptionIds: rows.map(({ id }) => id) };
}

/** Event data as large as that of a real payment. */
export const PAYMENT_DATA = {
  subscriptionId: '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin',
  customer: { email: 'a@example.com', walletAddress: 'CiDwVBFgWV9E5MvXWoLgnEgn2hK7rJikbvfWavzAQz3' },
  userWallet: 'CiDwVBFgWV9E5MvXWoLgnEgn2hK7rJikbvfWavzAQz3',
  amount: '5000000',
  paymentNumber: 1,
  nextPaymentDate: '2026-12-01T00:00:00.000Z',
  metadata: { campaign: 'autumn' },
};

/**
 * Inserts a million pending deliveries to endpoints that fail or are disabled. Two fifths wait in
 * their lines behind others. The others are first in their lines: those to disabled endpoints were
 * due a day ago, and those to failing endpoints are retried in an hour.
 */
export async function seedWaitingDeliveries(
  db: Db,
  failing: readonly SeededMerchant[],
  disabled: readonly SeededMerchant[],
) {
  const eventsEach = 1_000_000 / (failing.length + disabled.length);
  const [first] = failing;
  await db.webhookEndpoint.updateMany({
    where: { id: { in: disabled.map(({ endpointId }) => endpointId) } },
    data: { status: 'DISABLED', disabledReason: 'MERCHANT', disabledAt: new Date() },
  });
  await db.$transaction(
    async (tx) => {
      // Checking two million references would take longer than everything else.
      await tx.$executeRaw`SET LOCAL session_replication_role = replica`;
      await tx.$executeRaw`
        INSERT INTO "Event"
          ("id", "merchantId", "environment", "type", "data", "createdAt", "relayedAt", "position")
        SELECT gen_random_uuid(), ${first?.scope.merchantId}::uuid, 'TEST', 'subscription.payment_succeeded', '{}', now(),
          now(), n
        FROM generate_series(1, ${eventsEach}::int) n`;
      for (const { scope, endpointId } of [...failing, ...disabled]) {
        await tx.$executeRaw`
          INSERT INTO "Delivery" ("id", "merchantId", "environment", "eventId", "endpointId", "subscriptionId",
            "sequence", "nextAttemptAt", "createdAt")
          SELECT gen_random_uuid(), ${scope.merchantId}::uuid, 'TEST', "id", ${endpointId}::uuid, gen_random_uuid(), 2,
            CASE WHEN "position" % 5 < 2 THEN NULL
              WHEN ${disabled.some((merchant) => merchant.endpointId === endpointId)} THEN now() - interval '1 day'
              ELSE now() + interval '1 hour' END,
            now()
          FROM "Event" WHERE "merchantId" = ${first?.scope.merchantId}::uuid`;
      }
    },
    { timeout: 300_000 },
  );
}
