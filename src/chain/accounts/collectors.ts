import { type Address, createKeyPairSignerFromBytes, type TransactionPartialSigner } from '@solana/kit';
import type { CollectorSource } from '../../config/collector-variables.ts';
import type { Chain } from '../chain.ts';
import { createRemoteSigner } from '../remote-signer.ts';
import { decodePlan } from './accounts.ts';
import { PROGRAM } from './addresses.ts';
import { readAccounts } from './read-accounts.ts';

/** @throws SignerFailed if a remote signer cannot be used */
export async function createCollector(source: CollectorSource): Promise<TransactionPartialSigner> {
  if (!(source instanceof Uint8Array)) return createRemoteSigner(source);
  return createKeyPairSignerFromBytes(source);
}

type Collectors = Pick<Chain, 'collector' | 'previousCollector'>;

/** The addresses of the collectors: two during a change of keys, the new one first. */
export function collectorAddresses({ collector, previousCollector }: Collectors): Address[] {
  return [collector.address, ...(previousCollector ? [previousCollector.address] : [])];
}

/** The same, each as the chain on which it pulls, signs and pays. */
export function asEachCollector(chain: Chain): Chain[] {
  const { previousCollector: previous } = chain;
  return previous ? [chain, { ...chain, collector: previous }] : [chain];
}

/**
 * Groups pulls by the collector that the plan on chain allows. If a plan names both or none, the
 * newest collector pulls, and its failure states the reason.
 */
export async function byCollector<T extends { readonly pull: { readonly plan: Address } }>(
  chain: Chain,
  items: readonly T[],
): Promise<{ readonly chain: Chain; readonly items: readonly T[] }[]> {
  const { previousCollector: previous } = chain;
  if (!previous || items.length === 0) return [{ chain, items }];
  const plans = [...new Set(items.map(({ pull }) => pull.plan))];
  const accounts = await readAccounts(chain, plans);
  const itsPlans = new Set(
    plans.filter((_, index) => {
      const account = accounts[index];
      if (account?.owner !== PROGRAM) return false;
      const { pullers } = decodePlan(account.data);
      return pullers.includes(previous.address) && !pullers.includes(chain.collector.address);
    }),
  );
  const [its, ours] = [true, false].map((isIts) =>
    items.filter(({ pull }) => itsPlans.has(pull.plan) === isIts),
  ) as [T[], T[]];
  return [
    { chain, items: ours },
    { chain: { ...chain, collector: previous }, items: its },
  ].filter(({ items: some }) => some.length > 0);
}
