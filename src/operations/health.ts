import type { AppContext } from '../app.ts';
import type { Chain } from '../chain/chain.ts';
import type { Role } from '../config/role.ts';
import { readCollectors, readFeePayers } from '../domain/chain-state/collector/read-collectors.ts';
import type { Environment } from '../generated/prisma/client.ts';
import { rootMessage } from '../observability/public-urls.ts';
import { withoutSecrets } from '../observability/without-secrets.ts';
import { readCommitWaits } from './commit-waits.ts';
import { readNodeLag } from './node-lag.ts';
import { expectsStandby, whyUnreplicated } from './replication.ts';
import { readStreamLag } from './stream-lag.ts';
import { TimedReads } from './timed-reads.ts';

/**
 * About two minutes, at two and a half slots per second. A mirror that is further behind is
 * unhealthy.
 */
const MAX_SLOTS_BEHIND = 300;
/** A commit that waits longer for its standby makes the process unready: others would wait too. */
const MAX_COMMIT_WAIT_SECONDS = 5;

/** The state of a dependency. `detail` is for operators and contains no secrets. */
export interface Check {
  readonly ok: boolean;
  /** The environment that needs the dependency; undefined if all do. */
  readonly environment?: Environment;
  readonly detail?: unknown;
  /** Whether the process is ready although the check fails: no other process would do better. */
  readonly isAdvice?: true;
}
export type Checks = Readonly<Record<string, Check>>;

interface PendingCheck {
  readonly name: string;
  readonly environment?: Environment;
  ask(): PromiseLike<unknown>;
}

/**
 * Checks the dependencies of a process with these roles.
 *
 * @param reads the same for all checks of a process
 */
export async function checkReadiness(
  ctx: AppContext,
  roles: readonly Role[],
  reads = new TimedReads(),
): Promise<Checks> {
  const pending: PendingCheck[] = [
    { name: 'database', ask: () => ctx.db.$queryRaw`SELECT 1` },
    { name: 'commits', ask: () => checkCommits(ctx) },
  ];
  if (expectsStandby(ctx)) {
    pending.push({ name: 'standby LIVE', environment: 'LIVE', ask: () => checkStandby(ctx) });
  }
  if (roles.includes('worker')) pending.push({ name: 'queue', ask: () => ctx.jobs.depths() });
  for (const chain of Object.values(ctx.chain)) {
    const { environment } = chain;
    if (roles.includes('worker')) {
      pending.push({ name: `collector ${environment}`, environment, ask: () => checkCollectors(ctx, chain) });
    }
    if (roles.some((role) => role !== 'api')) {
      pending.push({ name: `node ${environment}`, environment, ask: () => checkNode(ctx, chain) });
    }
    if (roles.includes('indexer')) {
      pending.push({ name: `mirror ${environment}`, environment, ask: () => checkMirror(ctx, chain) });
    }
  }
  for (const [environment, reason] of ctx.away ?? []) {
    const check = { ok: false, detail: withoutSecrets(reason) };
    pending.push({ name: `cluster ${environment}`, environment, ask: async () => check });
  }
  const checks = pending.map(async ({ name, environment, ask }) => {
    const check = await awaitCheck(reads.read(name, ask));
    return [name, environment ? { ...check, environment } : check] as const;
  });
  return Object.fromEntries(await Promise.all(checks));
}

/**
 * Whether the process can work: its common dependencies are available, and so are all dependencies
 * of at least one environment. The API needs no environment, because it answers most requests
 * without a cluster.
 */
export function isReady(checks: Checks, roles: readonly Role[], only?: Environment): boolean {
  const all = Object.values(checks).filter(({ isAdvice }) => !isAdvice);
  if (!all.filter(({ environment }) => !environment).every(({ ok }) => ok)) return false;
  const required = roles.some((role) => role !== 'api') ? all : [];
  const environments = Map.groupBy(
    required.filter(({ environment }) => environment && (!only || environment === only)),
    ({ environment }) => environment,
  );
  if (environments.size === 0) return true;
  return [...environments.values()].some((checksOfEnvironment) => checksOfEnvironment.every(({ ok }) => ok));
}

async function checkCommits({ config }: AppContext): Promise<Check> {
  // Whether the database answers at all is another check, on a connection of the pool.
  const waits = await readCommitWaits(config.databaseUrl).catch((error: unknown) => ({
    longestSeconds: 0,
    unread: withoutSecrets(rootMessage(error)),
  }));
  return { ok: waits.longestSeconds <= MAX_COMMIT_WAIT_SECONDS, detail: waits };
}

async function checkStandby(ctx: AppContext): Promise<Check> {
  const problem = await whyUnreplicated(ctx);
  return { ok: problem === undefined, isAdvice: true, ...(problem && { detail: { problem } }) };
}

async function checkCollectors(ctx: AppContext, chain: Chain): Promise<Check> {
  const [collectors, feePayers] = await Promise.all([readCollectors(ctx, chain), readFeePayers(ctx, chain)]);
  return {
    ok: collectors.every(({ role, canPay }) => canPay || role === 'previous'),
    detail: [...collectors, ...feePayers].map(({ environment: _, lamports, lamportsPerDay, ...state }) => ({
      ...state,
      lamports: String(lamports),
      lamportsPerDay: lamportsPerDay === null ? null : String(lamportsPerDay),
    })),
  };
}

async function checkNode(ctx: AppContext, chain: Chain): Promise<Check> {
  const lag = await readNodeLag(ctx, chain);
  return { ok: lag.problem === undefined, detail: lag };
}

async function checkMirror(ctx: AppContext, chain: Chain): Promise<Check> {
  const { slotsBehind, unapplied, doubt } = await readStreamLag(ctx, chain);
  return {
    ok: slotsBehind !== null && slotsBehind <= MAX_SLOTS_BEHIND,
    detail: { slotsBehind, unapplied, doubt },
  };
}

async function awaitCheck(result: Promise<unknown>): Promise<Check> {
  try {
    const answer = await result;
    return isCheck(answer) ? answer : { ok: true };
  } catch (error) {
    return { ok: false, detail: withoutSecrets(rootMessage(error)) };
  }
}

function isCheck(answer: unknown): answer is Check {
  return typeof answer === 'object' && answer !== null && 'ok' in answer;
}
