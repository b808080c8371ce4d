import { setTimeout as sleep } from 'node:timers/promises';
import type { ClusterConfig } from '../../config/cluster-config.ts';
import type { Environment } from '../../generated/prisma/client.ts';
import type { Logger } from '../../observability/log.ts';
import { type Chain, ClusterUnusable } from '../chain.ts';
import { assertReachable, createChain } from '../create-chain.ts';
import { SignerFailed } from '../remote-signer.ts';
import { isUnreachable } from './is-unreachable.ts';

/** How long the start of a process waits for a cluster that it can do without at first. */
const START_TIMEOUT_MS = 10_000;
/** The same for a cluster that it needs. */
const NEEDED_TIMEOUT_MS = 30_000;
/** Interval between attempts to reach an unreachable cluster. */
const RETRY_DELAY_MS = 2_000;

type Configured = Readonly<Partial<Record<Environment, ClusterConfig>>>;

/**
 * The reachable clusters, and for the others in `away` the reason. Both change when a cluster
 * becomes reachable.
 */
export interface Clusters {
  readonly chain: Readonly<Partial<Record<Environment, Chain>>>;
  readonly away: ReadonlyMap<Environment, string>;
  close(): void;
}

export interface ReachOptions {
  readonly awayAllowed: boolean;
  /** A further check of a reachable cluster. If it rejects, the cluster counts as unreachable. */
  readonly verify?: (chain: Chain) => Promise<void>;
}

/**
 * Connects to every cluster. A cluster that is unreachable or refuses us is left out, logged and
 * retried until it is reachable. So an expired key of one environment does not stop the other.
 *
 * @param awayAllowed whether the caller can work without a cluster
 * @throws ClusterUnusable or SignerFailed if the configuration of every cluster is wrong, or if a
 *   cluster fails and `awayAllowed` is false
 */
export async function reachClusters(
  configured: Configured,
  log: Logger,
  { awayAllowed, verify = async () => undefined }: ReachOptions,
): Promise<Clusters> {
  const chain: Partial<Record<Environment, Chain>> = {};
  const away = new Map<Environment, string>();
  const closing = new AbortController();
  const entries = Object.entries(configured) as [Environment, ClusterConfig][];
  let refusals = 0;
  const starts = entries.map(async ([environment, config]) => {
    try {
      const reached = reach(environment, config).then(verifyReached);
      const timeoutMs = awayAllowed ? START_TIMEOUT_MS : NEEDED_TIMEOUT_MS;
      chain[environment] = await withinTimeout(environment, reached, timeoutMs);
    } catch (error) {
      if (!awayAllowed || !isExpected(error)) throw error;
      if (!isUnreachable(error)) refusals += 1;
      if (refusals === entries.length) throw error;
      const reason = (error as Error).message;
      away.set(environment, reason);
      log.error({ environment, reason }, 'environment unreachable: started without it, retrying');
    }
  });
  for (const outcome of await Promise.allSettled(starts)) {
    if (outcome.status === 'rejected') throw outcome.reason;
  }
  for (const [environment, config] of entries) {
    if (away.has(environment)) void retryUntilReached(environment, config);
  }

  async function verifyReached(reached: Chain): Promise<Chain> {
    await verify(reached);
    return reached;
  }

  async function retryUntilReached(environment: Environment, config: ClusterConfig): Promise<void> {
    const { signal } = closing;
    while (!signal.aborted) {
      await sleep(RETRY_DELAY_MS, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        chain[environment] = await reach(environment, config).then(verifyReached);
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

async function withinTimeout(
  environment: Environment,
  reached: Promise<Chain>,
  timeoutMs: number,
): Promise<Chain> {
  const timeout = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const message = `The ${environment} cluster did not respond within ${timeoutMs} ms`;
    timeout.reject(new ClusterUnusable(message, { cause: new DOMException(message, 'TimeoutError') }));
  }, timeoutMs);
  reached.catch(() => undefined);
  return Promise.race([reached, timeout.promise]).finally(() => clearTimeout(timer));
}
