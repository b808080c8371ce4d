import { Client } from 'pg';
import type { Environment } from '../../src/generated/prisma/client.ts';
import type { Logger } from '../../src/observability/log.ts';
import { pause } from '../pause.ts';

/** Advisory locks have two numbers: "dues" and the environment. */
const LOCK_SPACE = 0x64756573;
const LOCK: Readonly<Record<Environment, number>> = { TEST: 1, LIVE: 2 };
const ANSWER_TIMEOUT_MS = 5_000;
const DISCONNECT_TIMEOUT_MS = 1_000;

export interface LeadershipOptions {
  readonly databaseUrl: string;
  readonly environment: Environment;
  /** Interval at which a standby tries to take the leadership and a leader checks it. */
  readonly checkMs: number;
  readonly log: Logger;
}

/**
 * Runs `lead` while this process is the environment's only leader, until `signal` aborts. The
 * leadership is a lock of one dedicated database connection: a killed leader loses it at once. If
 * the connection breaks, the signal passed to `lead` aborts, and the process competes again.
 *
 * The URL must lead to PostgreSQL directly, because a pooler would share the lock.
 */
export async function holdLeadership(
  options: LeadershipOptions,
  signal: AbortSignal,
  lead: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const { environment, checkMs, log } = options;
  while (!signal.aborted) {
    try {
      await waitAndLead(options, signal, lead);
    } catch (err) {
      if (!signal.aborted) log.error({ err, environment }, 'leadership lost');
    }
    await pause(checkMs, signal);
  }
}

async function waitAndLead(
  { databaseUrl, environment, checkMs, log }: LeadershipOptions,
  signal: AbortSignal,
  lead: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const client = new Client({
    connectionString: databaseUrl,
    query_timeout: ANSWER_TIMEOUT_MS,
    keepAlive: true,
  });
  const lost = new AbortController();
  client.on('error', (error) => lost.abort(error));
  client.on('end', () => lost.abort());
  const stop = AbortSignal.any([signal, lost.signal]);
  try {
    await client.connect();
    while (!(await takeLock(client, environment))) {
      await pause(checkMs, stop);
      if (stop.aborted) return;
    }
    log.info({ environment }, 'indexer leads');
    const leading = lead(stop).finally(() => lost.abort());
    try {
      // A broken connection is detected only by a query.
      while (!stop.aborted) {
        await pause(checkMs, stop);
        if (!stop.aborted) await client.query('SELECT 1');
      }
    } catch (error) {
      lost.abort(error);
      throw error;
    } finally {
      await leading;
    }
  } finally {
    // The server may never confirm the end of the connection.
    await Promise.race([client.end(), pause(DISCONNECT_TIMEOUT_MS, new AbortController().signal)]);
  }
}

async function takeLock(client: Client, environment: Environment): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1, $2) AS taken', [
    LOCK_SPACE,
    LOCK[environment],
  ]);
  return rows[0]?.taken === true;
}
