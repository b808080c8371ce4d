import type { Db } from '../../src/db/db.ts';
import { hashApiKey } from '../../src/secrets.ts';
import { graphqlActivePage, graphqlPageAfter, restPage } from '../lib/api-requests.ts';
import { Connection, type WireRequest } from '../lib/http-load.ts';
import { seedMerchants } from '../lib/seed-merchants.ts';
import { median, round } from '../lib/statistics.ts';

const SMALL_SIZE = 1_000;
const LARGE_SIZE = 1_000_000;
/** Sequential requests per merchant. */
const PAGES = 300;
/** Requests for active subscriptions with their total, of the large merchant only. */
const FILTERED_PAGES = 15;

export interface GrowthFigures {
  /**
   * Ratio of median times: a page by cursor from the middle of a million and of 1,000
   * subscriptions.
   */
  readonly page_growth: number;
  /** The same ratio for the first page by REST, with the exact total. */
  readonly counted_page_growth: number;
  /** Median milliseconds of the page by cursor among 1,000 subscriptions. */
  readonly page_ms: number;
  /**
   * Median milliseconds of the first page of active subscriptions among a million, with their
   * total. The API sums the total from `PlanDay` and `PlanDayChange`.
   */
  readonly filtered_total_ms: number;
}

/** Requests pages of a merchant with few subscriptions and of one with many, alternately. */
export async function measureGrowth(db: Db, secretKey: Uint8Array, api: string): Promise<GrowthFigures> {
  const merchants: Pages[] = [];
  for (const subscriptions of [SMALL_SIZE, LARGE_SIZE]) {
    const [key = ''] = await seedMerchants(db, secretKey, { merchants: 1, subscriptions });
    merchants.push({
      active: graphqlActivePage(key),
      deep: graphqlPageAfter(key, await findMiddle(db, hashApiKey(secretKey, key), subscriptions)),
      counted: restPage(key),
    });
    console.log(`a merchant with ${subscriptions} subscriptions`);
  }
  await db.$executeRaw`VACUUM ANALYZE`;
  await db.$executeRaw`CHECKPOINT`;
  const connection = new Connection(api);
  const times = merchants.map(() => ({ deep: [] as number[], counted: [] as number[] }));
  for (let page = 0; page < PAGES; page++) {
    for (const [index, { deep, counted }] of merchants.entries()) {
      times[index]?.deep.push(await measureRequest(connection, deep));
      times[index]?.counted.push(await measureRequest(connection, counted));
    }
  }
  const filtered: number[] = [];
  for (let page = 0; page < FILTERED_PAGES; page++) {
    const total = `"total":${LARGE_SIZE}`;
    filtered.push(await measureRequest(connection, (merchants.at(-1) as Pages).active, total));
  }
  connection.close();
  const [few, many] = times.map(({ deep, counted }) => ({ deep: median(deep), counted: median(counted) }));
  if (!few || !many) throw new Error('Nothing was measured');
  return {
    page_growth: round(many.deep / few.deep, 2),
    counted_page_growth: round(many.counted / few.counted, 2),
    page_ms: round(few.deep, 2),
    filtered_total_ms: round(median(filtered)),
  };
}

interface Pages {
  readonly active: WireRequest;
  readonly deep: WireRequest;
  readonly counted: WireRequest;
}

async function findMiddle(db: Db, keyHash: Uint8Array<ArrayBuffer>, subscriptions: number): Promise<string> {
  const [middle] = await db.$queryRaw<{ id: string }[]>`
    SELECT "id" FROM "Subscription"
    WHERE "merchantId" = (SELECT "merchantId" FROM "ApiKey" WHERE "hash" = ${keyHash})
    ORDER BY "createdAt", "id" OFFSET ${Math.floor(subscriptions / 2)} LIMIT 1`;
  if (!middle) throw new Error('Nothing was seeded');
  return middle.id;
}

/** @param expected text that the response must contain */
async function measureRequest(connection: Connection, request: WireRequest, expected = ''): Promise<number> {
  const startedAt = performance.now();
  const { status, body } = await connection.ask(request);
  const durationMs = performance.now() - startedAt;
  if (status !== 200 || body.includes('"errors"')) throw new Error(`answered ${status}: ${body}`);
  if (!body.includes(expected)) throw new Error(`${expected} is missing in ${body}`);
  return durationMs;
}
