import { setTimeout as sleep } from 'node:timers/promises';
import type { AppContext } from '../app.ts';
import type { Chain } from '../chain/chain.ts';
import type { Role } from '../config/role.ts';
import { readCollectors } from '../domain/collector/read-collectors.ts';
import type { Environment } from '../generated/prisma/client.ts';
import { rootMessage } from '../observability/public-urls.ts';
import { withoutSecrets } from '../observability/without-secrets.ts';
import { readNodeLag } from './node-lag.ts';
import { readStreamLag } from './stream-lag.ts';

/** Timeout of a health check. */
const ANSWER_WITHIN_MS = 2_000;
/**
 * A mirror further behind (about two minutes) is unhealthy; a cluster has two and a half slots per
 * second.
 */
const SLOTS_BEHIND = 300;

/** A dependency of a role. `detail` is for operators and has no secrets. */
export interface Check {
  readonly ok: boolean;
  /** The environment that needs it, if not all do. */
  readonly environment?: Environment;
  readonly detail?: unknown;
}
export type Checks = Readonly<Record<string, Check>>;

interface Ask {
  readonly name: string;
  readonly environment?: Environment;
  readonly asked: Promise<unknown>;
}

/** Checks what a process with these roles needs. */
export async function checkReadiness(ctx: AppContext, roles: readonly Role[]): Promise<Checks> {
  const asks: Ask[] = [{ name: 'database', asked: ctx.db.$queryRaw`SELECT 1` }];
  if (roles.includes('worker')) asks.push({ name: 'queue', asked: ctx.jobs.depths() });
  for (const chain of Object.values(ctx.chain)) {
    const { environment } = chain;
    if (roles.includes('worker')) {
      asks.push({ name: `collector ${environment}`, environment, asked: collectors(ctx, chain) });
    }
    if (roles.some((role) => role !== 'api')) {
      asks.push({ name: `node ${environment}`, environment, asked: node(ctx, chain) });
    }
    if (roles.includes('indexer')) {
      asks.push({ name: `mirror ${environment}`, environment, asked: mirror(ctx, chain) });
    }
  }
  for (const [environment, reason] of ctx.away ?? []) {
    const asked = Promise.resolve({ ok: false, detail: withoutSecrets(reason) });
    asks.push({ name: `cluster ${environment}`, environment, asked });
  }
  const checks = asks.map(async ({ name, environment, asked }) => {
    const check = await answered(asked);
    return [name, environment ? { ...check, environment } : check] as const;
  });
  return Object.fromEntries(await Promise.all(checks));
}

/**
 * Whether the process can work: its common dependencies are available, and at least one environment
 * is. The API answers most requests without a cluster.
 */
export function isReady(checks: Checks, roles: readonly Role[], only?: Environment): boolean {
  const all = Object.values(checks);
  if (!all.filter(({ environment }) => !environment).every(({ ok }) => ok)) return false;
  const needs = roles.some((role) => role !== 'api') ? all : [];
  const environments = Map.groupBy(
    needs.filter(({ environment }) => environment && (!only || environment === only)),
    ({ environment }) => environment,
  );
  if (environments.size === 0) return true;
  return [...environments.values()].some((its) => its.every(({ ok }) => ok));
}

async function collectors(ctx: AppContext, chain: Chain): Promise<Check> {
  const states = await readCollectors(ctx, chain);
  return {
    ok: states.every(({ role, canPay }) => canPay || role === 'previous'),
    detail: states.map(({ environment: _, lamports, lamportsPerDay, ...state }) => ({
      ...state,
      lamports: String(lamports),
      lamportsPerDay: lamportsPerDay === null ? null : String(lamportsPerDay),
    })),
  };
}

async function node(ctx: AppContext, chain: Chain): Promise<Check> {
  const lag = await readNodeLag(ctx, chain);
  return { ok: lag.problem === undefined, detail: lag };
}

async function mirror(ctx: AppContext, chain: Chain): Promise<Check> {
  const { slotsBehind, unapplied, doubt } = await readStreamLag(ctx, chain);
  return {
    ok: slotsBehind !== null && slotsBehind <= SLOTS_BEHIND,
    detail: { slotsBehind, unapplied, doubt },
  };
}

async function answered(ask: Promise<unknown>): Promise<Check> {
  const late = new AbortController();
  const timeout = sleep(ANSWER_WITHIN_MS, undefined, { signal: late.signal }).then(() => {
    throw new Error(`no response within ${ANSWER_WITHIN_MS} ms`);
  });
  timeout.catch(() => undefined);
  try {
    const answer = await Promise.race([ask, timeout]);
    return isCheck(answer) ? answer : { ok: true };
  } catch (error) {
    ask.catch(() => undefined);
    return { ok: false, detail: withoutSecrets(rootMessage(error)) };
  } finally {
    late.abort();
  }
}

function isCheck(answer: unknown): answer is Check {
  return typeof answer === 'object' && answer !== null && 'ok' in answer;
}
