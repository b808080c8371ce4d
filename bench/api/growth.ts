import type { Db } from '../../src/db/db.ts';
import { hashApiKey } from '../../src/secrets.ts';
import { graphqlPageAfter } from '../lib/api-requests.ts';
import { Connection, type WireRequest } from '../lib/http-load.ts';
import { seedMerchants } from '../lib/seed-merchants.ts';
import { median, round } from '../lib/statistics.ts';

const SMALL_SIZE = 1_000;
const LARGE_SIZE = 1_000_000;
/** Sequential requests per merchant. */
const PAGES = 300;

/**
 * The ratio of median times of a page by cursor from the middle, of a merchant with a million
 * subscriptions and of one with 1,000. The requests alternate.
 */
export async function measureGrowth(db: Db, secretKey: Uint8Array, api: string): Promise<number> {
  const pages: WireRequest[] = [];
  for (const subscriptions of [SMALL_SIZE, LARGE_SIZE]) {
    const [key = ''] = await seedMerchants(db, secretKey, { merchants: 1, subscriptions });
    pages.push(graphqlPageAfter(key, await findMiddle(db, hashApiKey(secretKey, key), subscriptions)));
    console.log(`a merchant with ${subscriptions} subscriptions`);
  }
  await db.$executeRaw`VACUUM ANALYZE`;
  await db.$executeRaw`CHECKPOINT`;
  const connection = new Connection(api);
  const times: number[][] = pages.map(() => []);
  for (let page = 0; page < PAGES; page++) {
    for (const [index, request] of pages.entries()) {
      times[index]?.push(await measureRequest(connection, request));
    }
  }
  connection.close();
  const [few = Number.NaN, many = Number.NaN] = times.map(median);
  return round(many / few, 2);
}

async function findMiddle(db: Db, keyHash: Uint8Array<ArrayBuffer>, subscriptions: number): Promise<string> {
  const [middle] = await db.$queryRaw<{ id: string }[]>`
    SELECT "id" FROM "Subscription"
    WHERE "merchantId" = (SELECT "merchantId" FROM "ApiKey" WHERE "hash" = ${keyHash})
    ORDER BY "createdAt", "id" OFFSET ${Math.floor(subscriptions / 2)} LIMIT 1`;
  if (!middle) throw new Error('Nothing was seeded');
  return middle.id;
}

async function measureRequest(connection: Connection, request: WireRequest): Promise<number> {
  const startedAt = performance.now();
  const { status, body } = await connection.ask(request);
  const durationMs = performance.now() - startedAt;
  if (status !== 200 || body.includes('"errors"')) throw new Error(`answered ${status}: ${body}`);
  return durationMs;
}
