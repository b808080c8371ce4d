import { type Address, createKeyPairSignerFromBytes, type TransactionPartialSigner } from '@solana/kit';
import { type CollectorSource, canSign } from '../../config/collector-source.ts';
import type { Chain } from '../chain.ts';
import { createRemoteSigner, SignerFailed } from '../remote-signer.ts';
import { decodePlan } from './accounts.ts';
import { PROGRAM } from './addresses.ts';
import { readAccounts } from './read-accounts.ts';

/**
 * Creates the signer of a collector from its key or its remote signer.
 *
 * @throws SignerFailed if a remote signer cannot be used
 */
export async function createCollector(source: CollectorSource): Promise<TransactionPartialSigner> {
  if (!canSign(source)) return addressOnly(source.address);
  if (!(source instanceof Uint8Array)) return createRemoteSigner(source);
  return createKeyPairSignerFromBytes(source);
}

/** A collector whose key this process does not have. It refuses to sign. */
function addressOnly(address: Address): TransactionPartialSigner {
  const refuse = async () => {
    throw new SignerFailed(`This process has only the address of the collector ${address}, not its key.`);
  };
  return { address, signTransactions: refuse };
}

type Collectors = Pick<Chain, 'collector' | 'previousCollector'>;

/** The addresses of the collectors: two during a change of keys, the new one first. */
export function collectorAddresses({ collector, previousCollector }: Collectors): Address[] {
  return [collector.address, ...(previousCollector ? [previousCollector.address] : [])];
}

/**
 * Groups pulls by the collector that the plan on chain names as a puller. If a plan names both or
 * none, the new collector pulls. If it names none, the pull fails with the reason.
 */
export async function groupByCollector<T extends { readonly pull: { readonly plan: Address } }>(
  chain: Chain,
  items: readonly T[],
): Promise<{ readonly chain: Chain; readonly items: readonly T[] }[]> {
  const { previousCollector: previous } = chain;
  if (!previous || items.length === 0) return [{ chain, items }];
  const plans = [...new Set(items.map(({ pull }) => pull.plan))];
  const accounts = await readAccounts(chain, plans, 'program');
  const previousPlans = new Set(
    plans.filter((_, index) => {
      const account = accounts[index];
      if (account?.owner !== PROGRAM) return false;
      const { pullers } = decodePlan(account.data);
      return pullers.includes(previous.address) && !pullers.includes(chain.collector.address);
    }),
  );
  const [previousItems, currentItems] = [true, false].map((isPrevious) =>
    items.filter(({ pull }) => previousPlans.has(pull.plan) === isPrevious),
  ) as [T[], T[]];
  return [
    { chain, items: currentItems },
    { chain: { ...chain, collector: previous }, items: previousItems },
  ].filter(({ items: groupItems }) => groupItems.length > 0);
}
