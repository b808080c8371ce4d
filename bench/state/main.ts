import { openSync } from 'node:fs';
import { join } from 'node:path';
import { connectDb, type Db } from '../../src/db/db.ts';
import { worldConfig } from '../../tools/world/config.ts';
import { startDatabase } from '../../tools/world/database.ts';
import { customerState } from '../lib/api-requests.ts';
import { startRoles, stop } from '../lib/child-process.ts';
import { assertSameAnswers, compare, cycle, startByHand } from '../lib/compare.ts';
import { measureParts } from '../lib/figures.ts';
import { seedMerchants } from '../lib/seed-merchants.ts';
import { round } from '../lib/statistics.ts';
import { measureChanges } from './changes.ts';
import type { PARTS, STATE_FIGURES } from './figures.ts';

/** Enough merchants to stay below the limit of requests per minute. Requests are counted as usual. */
const MERCHANTS = 2_000;
const CUSTOMERS_EACH = 40;

/**
 * Measures requests of states in alternation with a hand-written handler (`by-hand.ts`), and how soon a change on
 * chain is in the state and in a webhook.
 */
export default function benchState({ only }: { readonly only?: (typeof PARTS)[number] }) {
  return measureParts<(typeof PARTS)[number], typeof STATE_FIGURES>(
    { requests: measureRequests, changes: measureChanges },
    only,
  );
}

async function measureRequests() {
  await using closing = new AsyncDisposableStack();
  const database = await startDatabase(closing);
  const config = worldConfig(database.url, { logLevel: 'info' });
  const db = connectDb(database.url);
  closing.defer(() => db.$disconnect());
  const log = openSync(join(database.folder, 'api.log'), 'w');
  const api = await startRoles({ config, roles: ['api'] }, log);
  closing.defer(() => stop(api.process));
  const servers = {
    api: api.url,
    byHand: await startByHand(closing, new URL('./by-hand.ts', import.meta.url), config, log),
  };
  const seeded = { merchants: MERCHANTS, subscriptions: CUSTOMERS_EACH };
  const keys = await seedMerchants(db, config.secretKey, seeded);
  await seedStates(db);
  await db.$executeRaw`VACUUM ANALYZE`;
  await db.$executeRaw`CHECKPOINT`;
  console.log(`${MERCHANTS} merchants with ${CUSTOMERS_EACH} customers each`);

  const requests = (tag?: string) =>
    cycle(keys.map((key, index) => customerState(key, `user-${1 + (index % CUSTOMERS_EACH)}`, tag)));
  await assertSameAnswers(servers, requests()());
  const states = await compare('a state', servers, requests());
  const notModified = await compare('a state that has not changed', servers, requests('"1"'));
  return {
    get_ratio: round(states.ratio, 3),
    not_modified_ratio: round(notModified.ratio, 3),
    get_per_s: round(states.api),
    get_by_hand_per_s: round(states.byHand),
    not_modified_per_s: round(notModified.api),
    not_modified_by_hand_per_s: round(notModified.byHand),
  };
}

/** Writes the states of all customers as they are recorded, without features. */
async function seedStates(db: Db): Promise<void> {
  await db.$executeRaw`
    INSERT INTO "CustomerState" ("merchantId", "environment", "customerId", "version", "changedIn", "document")
    SELECT c."merchantId", c."environment", c."customerId", 1, 1, jsonb_build_object('hasAccess', true, 'features', '{}'::jsonb,
      'subscriptions', jsonb_build_array(jsonb_build_object('subscriptionId', s."address", 'planId', p."planId",
        'status', s."status", 'hasAccess', true, 'until', NULL, 'reason', 'ACTIVE',
        'startedAt', to_char(s."startedAt" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))))
    FROM "Customer" c JOIN "Subscription" s ON s."customerId" = c."id" JOIN "Plan" p ON p."id" = s."planId"`;
  await db.$executeRaw`DELETE FROM "StateRefresh"`;
}
