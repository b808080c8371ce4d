import { type Address, createNoopSigner, getBase64EncodedWireTransaction } from '@solana/kit';
import { getCreatePlanInstruction } from '@solana/subscriptions';
import { getCreateAssociatedTokenIdempotentInstruction } from '@solana-program/token';
import { decodePlan } from './accounts.ts';
import { PROGRAM, planAddress, tokenAccountAddress } from './addresses.ts';
import type { Chain } from './chain.ts';
import { collectorAddresses } from './collectors.ts';
import { METADATA_URI_BYTES, places, updatePlanInstruction } from './program-additions.ts';
import { readAccounts } from './read-accounts.ts';
import { unsignedTransaction } from './unsigned-transaction.ts';

export const SECONDS_PER_HOUR = 3_600;
/** The program counts whole hours, a year of them at most. */
export const MAX_PERIOD_HOURS = 8_760;

export interface NewPlan {
  /** The merchant's wallet: owns the plan and is its only destination. */
  readonly owner: Address;
  readonly chainPlanId: bigint;
  readonly mint: Address;
  readonly tokenProgram: Address;
  readonly amount: bigint;
  readonly intervalSeconds: number;
  /** Unix seconds; `null` for no end. The chain wants one whole interval before it. */
  readonly endsAt: bigint | null;
  /** Up to 128 bytes. */
  readonly metadataUri: string;
}

/** Makes the owner's token account if it is missing, and the plan, with dues as its puller. Unsigned, in base64. */
export async function createPlanTransaction(chain: Chain, plan: NewPlan): Promise<string> {
  const { owner, chainPlanId, mint, tokenProgram, amount, intervalSeconds, endsAt, metadataUri } = plan;
  // The client would cut a longer one off without a word.
  if (Buffer.byteLength(metadataUri) > METADATA_URI_BYTES) {
    throw new RangeError(`A metadata URI has at most ${METADATA_URI_BYTES} bytes: ${metadataUri}`);
  }
  const [planPda, ownerTokenAccount] = await Promise.all([
    planAddress(owner, chainPlanId),
    tokenAccountAddress(owner, mint, tokenProgram),
  ]);
  const merchant = createNoopSigner(owner);
  const transaction = await unsignedTransaction(chain, owner, [
    getCreateAssociatedTokenIdempotentInstruction({
      payer: merchant,
      ata: ownerTokenAccount,
      owner,
      mint,
      tokenProgram,
    }),
    getCreatePlanInstruction({
      merchant,
      planPda,
      tokenMint: mint,
      tokenProgram,
      planData: {
        planId: chainPlanId,
        mint,
        // The program fills in when it was created.
        terms: { amount, periodHours: wholeHours(intervalSeconds), createdAt: 0n },
        endTs: endsAt ?? 0n,
        destinations: places([owner]),
        pullers: places(collectorAddresses(chain)),
        metadataUri,
      },
    }),
  ]);
  return getBase64EncodedWireTransaction(transaction);
}

/**
 * Closes the plan to new subscribers. The chain wants an end for that, at least one interval away and never later than
 * one set before: nothing is collected after it from those who subscribed either. Unsigned, in base64.
 */
export async function sunsetPlanTransaction(
  chain: Chain,
  { owner, plan, endsAt }: { owner: Address; plan: Address; endsAt: bigint },
): Promise<string> {
  const [account] = await readAccounts(chain, [plan]);
  if (account?.owner !== PROGRAM) throw new Error(`There is no plan at ${plan}`);
  const seen = decodePlan(account.data);
  const transaction = await unsignedTransaction(chain, owner, [
    updatePlanInstruction({
      owner: createNoopSigner(owner),
      plan,
      active: false,
      wanted: { ...seen, endsAt },
      seen,
    }),
  ]);
  return getBase64EncodedWireTransaction(transaction);
}

function wholeHours(seconds: number): number {
  const hours = seconds / SECONDS_PER_HOUR;
  if (!Number.isInteger(hours) || hours < 1 || hours > MAX_PERIOD_HOURS) {
    throw new RangeError(`An interval is 1 to ${MAX_PERIOD_HOURS} whole hours, not ${seconds} seconds`);
  }
  return hours;
}
