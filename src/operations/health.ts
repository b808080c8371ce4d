import { setTimeout as sleep } from 'node:timers/promises';
import type { AppContext } from '../app.ts';
import type { Chain } from '../chain/chain.ts';
import { rootMessage } from '../chain/endpoint-words.ts';
import { readCollectors } from '../domain/collector/read-collectors.ts';
import { withoutSecrets } from '../without-secrets.ts';
import type { Role } from './role.ts';
import { readStreamLag } from './stream-lag.ts';

/** Whoever asks for health waits for no more than this. */
const ANSWER_WITHIN_MS = 2_000;
/** A mirror that is further behind (about two minutes) is told to be unwell; a cluster has two and a half slots a second. */
const SLOTS_BEHIND = 300;

/** One thing that a role cannot do its work without. `detail` is for operators: words without secrets. */
export interface Check {
  readonly ok: boolean;
  readonly detail?: unknown;
}
export type Checks = Readonly<Record<string, Check>>;

/** Whether a process with these roles can do its work now. */
export async function checkReadiness(ctx: AppContext, roles: readonly Role[]): Promise<Checks> {
  const asks: Record<string, Promise<unknown>> = { database: ctx.db.$queryRaw`SELECT 1` };
  if (roles.includes('worker')) {
    asks.queue = ctx.jobs.depths();
    for (const chain of Object.values(ctx.chain))
      asks[`collector ${chain.environment}`] = collectors(ctx, chain);
  }
  if (roles.includes('indexer')) {
    for (const chain of Object.values(ctx.chain)) asks[`mirror ${chain.environment}`] = mirror(ctx, chain);
  }
  const checks = Object.entries(asks).map(async ([name, ask]) => [name, await answered(ask)] as const);
  return Object.fromEntries(await Promise.all(checks));
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

async function mirror(ctx: AppContext, chain: Chain): Promise<Check> {
  const { slotsBehind, unapplied } = await readStreamLag(ctx, chain);
  return {
    ok: slotsBehind !== null && slotsBehind <= SLOTS_BEHIND,
    detail: { slotsBehind, unapplied },
  };
}

async function answered(ask: Promise<unknown>): Promise<Check> {
  const late = new AbortController();
  const timeout = sleep(ANSWER_WITHIN_MS, undefined, { signal: late.signal }).then(() => {
    throw new Error(`no answer within ${ANSWER_WITHIN_MS} ms`);
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
