import type { Address } from '@solana/kit';
import type { ChainTransaction } from '../rpc/chain-transaction.ts';
import { PROGRAM } from './addresses.ts';

/** An account that a transaction may have closed. */
export interface TouchedAccount {
  readonly address: Address;
  /**
   * If an authority is closed, every subscription of `actor` in its token ends. The subscription
   * accounts stay unchanged.
   */
  readonly kind: 'subscription' | 'plan' | 'authority';
  /**
   * The signer: the user of an authority, the owner of a plan, the subscriber or rent payer of a
   * subscription.
   */
  readonly actor: Address;
}

/**
 * The instructions that close accounts without an event, with the index of the closed account. The
 * account stream does not show a closing either: it selects accounts by their owner, and a closed
 * account has none.
 */
const CLOSING_INSTRUCTIONS: Readonly<Record<number, { kind: TouchedAccount['kind']; account: number }>> = {
  3: { kind: 'subscription', account: 1 }, // revokeDelegation
  6: { kind: 'authority', account: 1 }, // closeSubscriptionAuthority
  9: { kind: 'plan', account: 1 }, // deletePlan
  14: { kind: 'authority', account: 4 }, // revokeSubscriptionAuthority: also takes the approval back
  15: { kind: 'subscription', account: 1 }, // revokeAbandonedDelegation
  16: { kind: 'subscription', account: 1 }, // revokeAbandonedSubscription
};

/**
 * The accounts that must be read again after a transaction, each once. Instructions that other
 * programs call count too.
 */
export function touchedAccounts({ err, instructions }: ChainTransaction): TouchedAccount[] {
  if (err) return [];
  const touched = new Map<Address, TouchedAccount>();
  for (const instruction of instructions) {
    const { program, accounts } = instruction;
    const close = program === PROGRAM ? CLOSING_INSTRUCTIONS[instruction.data[0] ?? -1] : undefined;
    const actor = accounts[0];
    const address = close && accounts[close.account];
    if (close && actor && address) touched.set(address, { address, kind: close.kind, actor });
  }
  return [...touched.values()];
}
