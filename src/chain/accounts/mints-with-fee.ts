import type { Address } from '@solana/kit';
import type { Chain } from '../chain.ts';
import { TOKEN_2022_PROGRAM } from '../rpc/programs-read.ts';
import { CLOCK_SYSVAR, epochOf, readAccounts } from './read-accounts.ts';
import { takesFee } from './token-extensions.ts';

interface Token {
  readonly mint: Address;
  readonly tokenProgram: Address;
}

/**
 * The mints whose transfers pay a fee now. Only Token-2022 has transfer fees, so other tokens need
 * no call.
 */
export async function mintsWithFee(chain: Chain, tokens: readonly Token[]): Promise<ReadonlySet<Address>> {
  const mints = new Set<Address>();
  for (const { mint, tokenProgram } of tokens) if (tokenProgram === TOKEN_2022_PROGRAM) mints.add(mint);
  if (mints.size === 0) return mints;
  const [clock, ...accounts] = await readAccounts(chain, [CLOCK_SYSVAR, ...mints], 'extensions');
  if (!clock) throw new Error('The cluster has no clock');
  const epoch = epochOf(clock.data);
  return new Set(
    accounts.flatMap((account) => (account && takesFee(account.data, epoch) ? account.address : [])),
  );
}
