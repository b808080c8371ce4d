import {
  type Address,
  appendTransactionMessageInstructions,
  createTransactionMessage,
  getSignatureFromTransaction,
  getTransactionEncoder,
  type Instruction,
  isTransactionMessageWithinSizeLimit,
  pipe,
  type ReadonlyUint8Array,
  type Signature,
  setTransactionMessageComputeUnitLimit,
  setTransactionMessageConfig,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import { getTransferSubscriptionInstruction } from '@solana/subscriptions';
import { EVENT_AUTHORITY } from './addresses.ts';
import type { Chain } from './chain.ts';
import type { Pull } from './pulls.ts';
import type { BlockhashLifetime } from './send.ts';

/** Setting the limit in a version 0 transaction is an instruction, and takes some itself. */
const COMPUTE_UNITS_ASIDE = 300;
/** All accounts and programs that are loaded; Token-2022 alone has more than a megabyte. Costs no fee. */
const LOADED_ACCOUNTS_BYTES = 8 * 1024 * 1024;

export type PullVersion = 0 | 1;
/** As many as fit where all is shared that can be. */
const MOST_PULLS: Readonly<Record<PullVersion, number>> = { 0: 4, 1: 19 };
const MAX_ADDRESSES = 64;

/** Signed, and to be written down before it is sent. */
export interface SignedPulls {
  readonly wire: ReadonlyUint8Array;
  readonly signature: Signature;
  readonly lastValidBlockHeight: bigint;
}

/**
 * One transaction of these pulls, paid and signed by the collector. Instruction i is pull i, so that an error's index
 * names its pull. `pullsThatFit` says how many it may be.
 */
export async function signPulls(
  { collector }: Chain,
  pulls: readonly Pull[],
  { blockhash, version }: { blockhash: BlockhashLifetime; version: PullVersion },
): Promise<SignedPulls> {
  const transaction = await signTransactionMessageWithSigners(
    setTransactionMessageLifetimeUsingBlockhash(blockhash, pullMessage(collector, pulls, version)),
  );
  return {
    wire: getTransactionEncoder().encode(transaction),
    signature: getSignatureFromTransaction(transaction),
    lastValidBlockHeight: blockhash.lastValidBlockHeight,
  };
}

/**
 * How many of these pulls, from the first on, one transaction can carry. Pulls of one plan share most of their
 * accounts: 4 fit in version 0 and 19 in version 1; where nothing is shared, 3 and 11.
 */
export function pullsThatFit({ collector }: Chain, pulls: readonly Pull[], version: PullVersion): number {
  for (let count = Math.min(pulls.length, MOST_PULLS[version]); count > 0; count -= 1) {
    const message = pullMessage(collector, pulls.slice(0, count), version);
    if (addressesOf(message.instructions).size > MAX_ADDRESSES) continue;
    if (isTransactionMessageWithinSizeLimit(message)) return count;
  }
  return 0;
}

/** The collector, who pays the fee, is the caller of every pull. */
function addressesOf(instructions: readonly Instruction[]): Set<Address> {
  return new Set(
    instructions.flatMap(({ programAddress, accounts = [] }) => [
      programAddress,
      ...accounts.map(({ address }) => address),
    ]),
  );
}

function pullMessage(collector: Chain['collector'], pulls: readonly Pull[], version: PullVersion) {
  const instructions = pulls.map((pull) => pullInstruction(pull, collector));
  const computeUnits = pulls.reduce((sum, pull) => sum + pull.computeUnits, COMPUTE_UNITS_ASIDE);
  if (version === 1) {
    return pipe(
      createTransactionMessage({ version: 1 }),
      // Both limits are 0 in a version 1 transaction that does not set them.
      (m) =>
        setTransactionMessageConfig(
          { computeUnitLimit: computeUnits, loadedAccountsDataSizeLimit: LOADED_ACCOUNTS_BYTES },
          m,
        ),
      (m) => setTransactionMessageFeePayerSigner(collector, m),
      (m) => appendTransactionMessageInstructions(instructions, m),
    );
  }
  return pipe(
    createTransactionMessage({ version: 0 }),
    (m) => setTransactionMessageFeePayerSigner(collector, m),
    (m) => appendTransactionMessageInstructions(instructions, m),
    // Appends an instruction, behind the pulls: see `signPulls` about their places.
    (m) => setTransactionMessageComputeUnitLimit(computeUnits, m),
  );
}

function pullInstruction(pull: Pull, collector: Chain['collector']): Instruction {
  return getTransferSubscriptionInstruction({
    subscriptionPda: pull.subscription,
    planPda: pull.plan,
    subscriptionAuthority: pull.authority,
    delegatorAta: pull.payerTokenAccount,
    receiverAta: pull.receiverTokenAccount,
    caller: collector,
    tokenMint: pull.mint,
    tokenProgram: pull.tokenProgram,
    eventAuthority: EVENT_AUTHORITY,
    transferData: { amount: pull.amount, delegator: pull.payer, mint: pull.mint },
  });
}
