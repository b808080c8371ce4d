import type { Address } from '@solana/kit';
import type { Chain } from '../chain.ts';
import { TOKEN_2022_PROGRAM } from '../rpc/programs-read.ts';
import { CLOCK_SYSVAR, epochOf, readAccounts } from './read-accounts.ts';
import { type MintFacts, mintFacts } from './token-extensions.ts';

interface Token {
  readonly mint: Address;
  readonly tokenProgram: Address;
}

/** The facts of Token-2022 mints, and the epoch in which they were read. */
export interface ReadMints {
  readonly epoch: bigint;
  /** Without mints of the classic program, which have no extensions, and without closed ones. */
  readonly facts: ReadonlyMap<Address, MintFacts>;
}

/** Reads each distinct Token-2022 mint once, with the clock. Other tokens need no call. */
export async function readMintFacts(chain: Chain, tokens: readonly Token[]): Promise<ReadMints> {
  const mints = new Set<Address>();
  for (const { mint, tokenProgram } of tokens) if (tokenProgram === TOKEN_2022_PROGRAM) mints.add(mint);
  if (mints.size === 0) return { epoch: 0n, facts: new Map() };
  const [clock, ...accounts] = await readAccounts(chain, [CLOCK_SYSVAR, ...mints], 'extensions');
  if (!clock) throw new Error('The cluster has no clock');
  const epoch = epochOf(clock.data);
  const facts = accounts.flatMap((account) =>
    account ? [[account.address, mintFacts(account.data, epoch)] as const] : [],
  );
  return { epoch, facts: new Map(facts) };
}
