import { inject } from 'vitest';
import { connectDb, type Db } from '../../src/db/db.ts';
import { createJobs, type Jobs } from '../../src/jobs/jobs.ts';
import { createLog } from '../../src/observability/log.ts';
import { cloneDatabase } from './postgres.ts';

/** A database that the worlds of this process use one after another, with its clients. */
export interface SharedDatabase {
  readonly url: string;
  /** Stays connected, because a client's first queries take longer than most tests. */
  readonly db: Db;
  /** Its queues, which stay connected too. */
  readonly jobs: Jobs;
  /** Removes all rows, and lets another world have the database. */
  giveBack(): Promise<void>;
}

/** A larger database is not used again: rows that are removed leave their pages. */
const MAX_BYTES = 40 * 2 ** 20;

interface Idle {
  readonly url: string;
  readonly db: Db;
  readonly jobs: Jobs;
  readonly schema: string;
  drop(): Promise<void>;
}

const idle: Idle[] = [];

/**
 * A database with the schema and no rows. Worlds of earlier files may have used it. A test that
 * needs settings or connections of its own clones one instead.
 *
 * @param isNew whether it must have no pages of rows that were removed
 */
export async function takeDatabase({ isNew = false } = {}): Promise<SharedDatabase> {
  const taken = (isNew ? undefined : idle.pop()) ?? (await create());
  const { url, db, jobs } = taken;
  return {
    url,
    db,
    // Each world has its own pending notifications, which `notifyRelay` keeps by this object.
    jobs: { ...jobs, close: async () => undefined },
    async giveBack() {
      if (await canBeUsedAgain(taken)) {
        await db.$executeRawUnsafe(EMPTY);
        idle.push(taken);
      } else {
        await Promise.all([db.$disconnect(), jobs.close()]);
        await taken.drop();
      }
    },
  };
}

async function create(): Promise<Idle> {
  const { url, drop } = await cloneDatabase(inject('templateDatabaseUrl'));
  const db = connectDb(url);
  const jobs = createJobs({ databaseUrl: url, redisUrl: undefined }, createLog('silent'));
  return { url, db, jobs, schema: await describeSchema(db), drop };
}

/** A test that changes the schema, or fails before it has changed it back, is the last user. */
async function canBeUsedAgain({ db, schema }: Idle): Promise<boolean> {
  const [size] = await db.$queryRaw<{ bytes: bigint }[]>`
    SELECT pg_database_size(current_database()) AS "bytes"`;
  return size !== undefined && size.bytes <= MAX_BYTES && (await describeSchema(db)) === schema;
}

/** Tables, indexes and sequences of dues and of its queues, but no temporary ones. */
const OURS = `relnamespace IN ('public'::regnamespace, 'bullmq'::regnamespace)`;

/**
 * A text that changes with each table, column, index, trigger, function and constraint. BullMQ adds
 * a sequence for each queue, which is no change.
 */
async function describeSchema(db: Db): Promise<string> {
  const rows = await db.$queryRawUnsafe(`
    SELECT (SELECT (string_agg(relname, ',' ORDER BY oid), sum(relnatts)) FROM pg_class
              WHERE ${OURS} AND relkind <> 'S')::text
             AS "relations",
           (SELECT (count(*), max(oid::bigint), sum(ascii(tgenabled::text))) FROM pg_trigger)::text AS "triggers",
           (SELECT (count(*), max(oid::bigint)) FROM pg_proc)::text AS "functions",
           (SELECT (count(*), max(oid::bigint)) FROM pg_constraint)::text AS "constraints"`);
  return JSON.stringify(rows);
}

/** Triggers and foreign keys do not run. What the migrations wrote stays. */
const EMPTY = `
  DO $$
  DECLARE
    relation regclass;
  BEGIN
    SET LOCAL session_replication_role = replica;
    FOR relation IN SELECT oid FROM pg_class
        WHERE ${OURS} AND relkind = 'r' AND relname NOT IN ('_prisma_migrations', 'migration') LOOP
      EXECUTE 'DELETE FROM ' || relation;
    END LOOP;
    FOR relation IN SELECT oid FROM pg_class WHERE ${OURS} AND relkind = 'S' LOOP
      PERFORM setval(relation, 1, false);
    END LOOP;
  END $$`;
