import { type Address, createKeyPairSignerFromBytes, type TransactionPartialSigner } from '@solana/kit';
import type { CollectorSource } from '../config/collector-variables.ts';
import { decodePlan } from './accounts.ts';
import { PROGRAM } from './addresses.ts';
import type { Chain } from './chain.ts';
import { readAccounts } from './read-accounts.ts';
import { createRemoteSigner } from './remote-signer.ts';

/** @throws SignerFailed where the key is kept elsewhere, and whoever keeps it cannot be used */
export async function createCollector(source: CollectorSource): Promise<TransactionPartialSigner> {
  if (!(source instanceof Uint8Array)) return createRemoteSigner(source);
  return createKeyPairSignerFromBytes(source);
}

type Collectors = Pick<Chain, 'collector' | 'previousCollector'>;

/** Whoever collects for dues: two while a key is changed, the new one first. */
export function collectorAddresses({ collector, previousCollector }: Collectors): Address[] {
  return [collector.address, ...(previousCollector ? [previousCollector.address] : [])];
}

/** The same, each as the chain that it acts on: it pulls, signs and pays there. */
export function asEachCollector(chain: Chain): Chain[] {
  const { previousCollector: previous } = chain;
  return previous ? [chain, { ...chain, collector: previous }] : [chain];
}

/**
 * Shares out what is to be pulled: a plan names on chain who may pull from it, and whoever else tried would fail. What
 * names several of ours is the newest one's, and so is what names none: its failure says why.
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
