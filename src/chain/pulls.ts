import type { Address } from '@solana/kit';
import { authorityAddress, tokenAccountAddress, tokenAccountPda } from './addresses.ts';

/** What is to be collected from whom. */
export interface PullTerms {
  readonly subscription: Address;
  readonly plan: Address;
  readonly payer: Address;
  /** The merchant's wallet: the plan's only destination. */
  readonly receiver: Address;
  readonly mint: Address;
  readonly tokenProgram: Address;
  readonly amount: bigint;
}

/** The same with every address that reading and collecting it needs. */
export interface Pull extends PullTerms {
  readonly authority: Address;
  readonly payerTokenAccount: Address;
  readonly receiverTokenAccount: Address;
  /** Compute units that it takes at most. */
  readonly computeUnits: number;
}

/** Measured: 8,000, and what a later release may add. */
const COMPUTE_UNITS = 15_000;
/** The program looks for the bump of the payer's token account, from 255 down; an unlucky wallet's is far below. */
const HIGHEST_BUMP = 255;
const COMPUTE_UNITS_A_BUMP = 1_500;

/** Derives the addresses, a receiver's once. */
export function resolvePulls(terms: readonly PullTerms[]): Promise<Pull[]> {
  const receivers = new Map<string, Promise<Address>>();
  const receiverTokenAccount = ({ receiver, mint, tokenProgram }: PullTerms): Promise<Address> => {
    const key = `${receiver} ${mint}`;
    const known = receivers.get(key);
    if (known) return known;
    const derived = tokenAccountAddress(receiver, mint, tokenProgram);
    receivers.set(key, derived);
    return derived;
  };
  return Promise.all(
    terms.map(async (pull) => {
      const [authority, [payerTokenAccount, bump], to] = await Promise.all([
        authorityAddress(pull.payer, pull.mint),
        tokenAccountPda(pull.payer, pull.mint, pull.tokenProgram),
        receiverTokenAccount(pull),
      ]);
      const computeUnits = COMPUTE_UNITS + COMPUTE_UNITS_A_BUMP * (HIGHEST_BUMP - bump);
      return { ...pull, authority, payerTokenAccount, receiverTokenAccount: to, computeUnits };
    }),
  );
}
