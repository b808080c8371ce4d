import { setTimeout as sleep } from 'node:timers/promises';
import type { ClusterConfig } from '../../config/cluster-config.ts';
import type { Environment } from '../../generated/prisma/client.ts';
import type { Logger } from '../../observability/log.ts';
import { type Chain, ClusterUnusable } from '../chain.ts';
import { assertReachable, createChain } from '../create-chain.ts';
import { SignerFailed } from '../remote-signer.ts';
import { isUnreachable } from './is-unreachable.ts';

/** How long the start waits for a cluster. */
const START_WITHIN_MS = 10_000;
/** Interval between attempts to reach a missing environment. */
const RETRY_DELAY_MS = 2_000;

type Configured = Readonly<Partial<Record<Environment, ClusterConfig>>>;

/**
 * The reachable clusters, and the reasons why others are missing. Both change when a cluster
 * becomes reachable.
 */
export interface Clusters {
  readonly chain: Readonly<Partial<Record<Environment, Chain>>>;
  readonly away: ReadonlyMap<Environment, string>;
  close(): void;
}

export interface ReachOptions {
  readonly awayAllowed: boolean;
  /** Further demands on a cluster that is there; one that fails them is away. */
  readonly verify?: (chain: Chain) => Promise<void>;
}

/**
 * Connects to every cluster. One that is unreachable or refuses us is left out, logged and retried
 * until it is reachable, so that an expired key of one environment does not stop the other.
 *
 * @param awayAllowed whether the caller can work without a cluster
 * @throws ClusterUnusable or SignerFailed if every cluster reports a wrong configuration, or if
 *   none may be missing
 */
export async function reachClusters(
  configured: Configured,
  log: Logger,
  { awayAllowed, verify = async () => undefined }: ReachOptions,
): Promise<Clusters> {
  const chain: Partial<Record<Environment, Chain>> = {};
  const away = new Map<Environment, string>();
  const closing = new AbortController();
  const all = Object.entries(configured) as [Environment, ClusterConfig][];
  let refusals = 0;
  const starts = all.map(async ([environment, config]) => {
    try {
      const reached = reach(environment, config).then(verified);
      chain[environment] = await (awayAllowed ? inTime(environment, reached) : reached);
    } catch (error) {
      if (!awayAllowed || !isExpected(error)) throw error;
      if (!isUnreachable(error)) refusals += 1;
      if (refusals === all.length) throw error;
      const reason = (error as Error).message;
      away.set(environment, reason);
      log.error({ environment, reason }, 'environment unreachable: started without it, retrying');
    }
  });
  for (const outcome of await Promise.allSettled(starts)) {
    if (outcome.status === 'rejected') throw outcome.reason;
  }
  for (const [environment, config] of all) {
    if (away.has(environment)) void keepTrying(environment, config);
  }

  async function verified(reached: Chain): Promise<Chain> {
    await verify(reached);
    return reached;
  }

  async function keepTrying(environment: Environment, config: ClusterConfig): Promise<void> {
    const { signal } = closing;
    while (!signal.aborted) {
      await sleep(RETRY_DELAY_MS, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        chain[environment] = await reach(environment, config).then(verified);
        away.delete(environment);
        log.info({ environment }, 'environment reachable: added');
        return;
      } catch (error) {
        const reason = (error as Error).message;
        if (away.get(environment) !== reason)
          log.error({ environment, reason }, 'environment still unreachable');
        away.set(environment, reason);
      }
    }
  }

  return { chain, away, close: () => closing.abort() };
}

function isExpected(error: unknown): boolean {
  return error instanceof ClusterUnusable || error instanceof SignerFailed;
}

async function reach(environment: Environment, config: ClusterConfig): Promise<Chain> {
  const chain = await createChain(environment, config);
  await assertReachable(chain);
  return chain;
}

async function inTime(environment: Environment, reached: Promise<Chain>): Promise<Chain> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const message = `The ${environment} cluster did not respond within ${START_WITHIN_MS} ms`;
    late.reject(new ClusterUnusable(message, { cause: new DOMException(message, 'TimeoutError') }));
  }, START_WITHIN_MS);
  reached.catch(() => undefined);
  return Promise.race([reached, late.promise]).finally(() => clearTimeout(timer));
}
