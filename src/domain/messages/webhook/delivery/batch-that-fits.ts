import type { DbTransaction } from '../../../../db/db.ts';
import type { Scope } from '../../../kernel/access/scope.ts';
import type { OutboxEvent } from '../../event/read-outbox.ts';

/** Maximum deliveries that the relay writes in one transaction: at worst a second of work. */
const MAX_DELIVERIES = 10_000;

/**
 * The first waiting events that can be relayed in one transaction: as many as have at most
 * `MAX_DELIVERIES` deliveries together, but at least one. The caller must hold the relay's lock.
 */
export async function batchThatFits(
  tx: DbTransaction,
  waiting: readonly OutboxEvent[],
): Promise<readonly OutboxEvent[]> {
  const scopes = new Map(waiting.map((event) => [nameOf(event), event]));
  const merchantIds = [...scopes.values()].map(({ merchantId }) => merchantId);
  const environments = [...scopes.values()].map(({ environment }) => environment);
  const endpointCounts = await tx.$queryRaw<(Scope & { count: number })[]>`
    SELECT w."merchantId", w."environment", count(*)::int AS "count"
    FROM unnest(${merchantIds}::uuid[], ${environments}::"Environment"[]) AS scope("merchantId", "environment")
    JOIN "WebhookEndpoint" w USING ("merchantId", "environment")
    WHERE w."status" = 'ENABLED' GROUP BY 1, 2`;
  const counts = new Map(endpointCounts.map((row) => [nameOf(row), row.count]));
  let deliveries = 0;
  const tooMany = waiting.findIndex((event) => {
    deliveries += counts.get(nameOf(event)) ?? 0;
    return deliveries > MAX_DELIVERIES;
  });
  return tooMany < 0 ? waiting : waiting.slice(0, Math.max(1, tooMany));
}

function nameOf({ merchantId, environment }: Scope): string {
  return `${merchantId}/${environment}`;
}
