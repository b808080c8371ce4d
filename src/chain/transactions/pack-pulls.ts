import type { Address } from '@solana/kit';
import type { Pull } from '../accounts/pulls.ts';
import type { MessageVersion } from './compile-message.ts';
import { PackWeight } from './pack-weight.ts';

/** Maximum bytes and addresses of a transaction, by message version. */
const LIMITS: Readonly<Record<MessageVersion, { readonly bytes: number; readonly addresses: number }>> = {
  legacy: { bytes: 1_232, addresses: 64 },
  0: { bytes: 1_232, addresses: 64 },
  1: { bytes: 4_096, addresses: 64 },
};

interface HasPull {
  readonly pull: Pull;
}

export interface Packing {
  /** The collector, and the fee payer if it is another account. */
  readonly signers: readonly Address[];
  readonly version: MessageVersion;
  /** Maximum payments per transaction. */
  readonly maxPulls: number;
}

/**
 * Packs pulls into as few transactions as possible. Pulls of one plan and receiver share most of
 * their accounts, so they are grouped. 19 pulls of one plan fit in a version 1 message, 18 with a
 * fee payer, which is the 64th account, and 4 in an older one. Without shared accounts, 11 and 3 fit.
 */
export function packPulls<T extends HasPull>(items: readonly T[], packing: Packing): T[][] {
  const sorted = [...items].sort((a, b) => compare(groupOf(a), groupOf(b)));
  const packs: T[][] = [];
  for (let start = 0; start < sorted.length; ) {
    const fitting = pullsThatFit(
      sorted.slice(start, start + packing.maxPulls).map(({ pull }) => pull),
      packing,
    );
    // A pull that exceeds the limits is still sent, alone: the cluster reports the reason.
    const count = Math.max(fitting, 1);
    packs.push(sorted.slice(start, start + count));
    start += count;
  }
  return packs;
}

/** Counts how many of these pulls, from the first, fit in one transaction. */
export function pullsThatFit(pulls: readonly Pull[], { signers, version, maxPulls }: Packing): number {
  const limits = LIMITS[version];
  const weight = new PackWeight(signers, version);
  const candidates = pulls.slice(0, maxPulls);
  const firstExcluded = candidates.findIndex((pull) => {
    weight.add(pull);
    return weight.bytes > limits.bytes || weight.addresses > limits.addresses;
  });
  return firstExcluded === -1 ? candidates.length : firstExcluded;
}

function groupOf({ pull: { receiverTokenAccount, plan } }: HasPull): string {
  return `${receiverTokenAccount} ${plan}`;
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
