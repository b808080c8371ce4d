import { type Address, createNoopSigner, getBase64EncodedWireTransaction } from '@solana/kit';
import { getCreatePlanInstruction, getDeletePlanOverlayInstruction } from '@solana/subscriptions';
import { getCreateAssociatedTokenIdempotentInstruction } from '@solana-program/token';
import { decodePlan, type PlanAccount } from '../accounts/accounts.ts';
import { PROGRAM, planAddress, tokenAccountAddress } from '../accounts/addresses.ts';
import { collectorAddresses } from '../accounts/collectors.ts';
import { readAccounts } from '../accounts/read-accounts.ts';
import type { Chain } from '../chain.ts';
import {
  MAX_LIST_ADDRESSES,
  METADATA_URI_BYTES,
  padAddresses,
  updatePlanInstruction,
} from './program-additions.ts';
import { unsignedTransaction } from './unsigned-transaction.ts';

export const SECONDS_PER_HOUR = 3_600;
/** The longest interval of the program: one year in whole hours. */
export const MAX_PERIOD_HOURS = 8_760;

export interface NewPlan {
  /** The merchant's wallet, which owns the plan and is its only destination. */
  readonly owner: Address;
  readonly chainPlanId: bigint;
  readonly mint: Address;
  readonly tokenProgram: Address;
  readonly amount: bigint;
  readonly periodSeconds: number;
  /** Unix seconds; `null` for no end. The chain requires at least one interval before the end. */
  readonly endsAt: bigint | null;
  /** At most 128 bytes. */
  readonly metadataUri: string;
}

/**
 * Creates the transaction that creates the owner's token account, if it is missing, and the plan
 * with the collectors of dues as pullers. Unsigned, in base64.
 */
export async function createPlanTransaction(chain: Chain, plan: NewPlan): Promise<string> {
  const { owner, chainPlanId, mint, tokenProgram, amount, periodSeconds, endsAt, metadataUri } = plan;
  // The client would silently truncate a longer URI.
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
        // The program sets the creation time.
        terms: { amount, periodHours: wholeHours(periodSeconds), createdAt: 0n },
        endTs: endsAt ?? 0n,
        destinations: padAddresses([owner]),
        pullers: padAddresses(collectorAddresses(chain)),
        metadataUri,
      },
    }),
  ]);
  return getBase64EncodedWireTransaction(transaction);
}

/**
 * Creates the transaction that closes a plan to new customers. The chain then requires an end of
 * the plan, at least one interval from now and not after an end that is already set. Nothing is
 * collected after the end. Unsigned, in base64.
 */
export async function sunsetPlanTransaction(
  chain: Chain,
  { owner, plan, endsAt }: { owner: Address; plan: Address; endsAt: bigint },
): Promise<string> {
  const [account] = await readAccounts(chain, [plan], 'program');
  if (account?.owner !== PROGRAM) throw new Error(`No plan exists at ${plan}`);
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

/**
 * Creates the transaction that restores the collectors of dues as pullers of a plan. Other pullers
 * are kept, up to four in total. Unsigned, in base64.
 */
export async function repairPlanTransaction(
  chain: Chain,
  { plan, seen }: { plan: Address; seen: PlanAccount },
): Promise<string> {
  const pullers = [...new Set([...collectorAddresses(chain), ...seen.pullers])].slice(0, MAX_LIST_ADDRESSES);
  const transaction = await unsignedTransaction(chain, seen.owner, [
    updatePlanInstruction({
      owner: createNoopSigner(seen.owner),
      plan,
      active: seen.active,
      wanted: { ...seen, pullers },
      seen,
    }),
  ]);
  return getBase64EncodedWireTransaction(transaction);
}

/**
 * Creates the transaction that deletes the account of a plan that has ended and returns its rent to
 * the owner. Unsigned, in base64; undefined if there is no account.
 */
export async function deletePlanTransaction(
  chain: Chain,
  { owner, plan }: { owner: Address; plan: Address },
): Promise<string | undefined> {
  const [account] = await readAccounts(chain, [plan], 'program');
  if (account?.owner !== PROGRAM) return undefined;
  const transaction = await unsignedTransaction(chain, owner, [
    getDeletePlanOverlayInstruction({ owner: createNoopSigner(owner), planPda: plan }),
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
