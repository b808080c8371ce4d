/**
 * The parts of program release 0.5 that its client `@solana/subscriptions` 0.3.0 lacks or builds in
 * an older layout: instructions 8 and 13, and the init_id that allows init and subscribe in one
 * transaction. (14 and 17 are only read, in touched-accounts.ts and events.ts.) The first client
 * after 0.3.0 that is generated from the IDL of program 0.5 makes this file unnecessary.
 */
import {
  type AccountMeta,
  AccountRole,
  type Address,
  fixEncoderSize,
  getAddressEncoder,
  getArrayEncoder,
  getI64Encoder,
  getStructEncoder,
  getU8Encoder,
  getUtf8Encoder,
  type Instruction,
  type TransactionSigner,
} from '@solana/kit';
import { EVENT_AUTHORITY, NO_ADDRESS, PROGRAM } from '../accounts/addresses.ts';

/** Maximum destinations and pullers of a plan, and bytes of its metadata URI. */
export const LIST_PLACES = 4;
export const METADATA_URI_BYTES = 128;

/**
 * In `subscribe`, instead of the authority's init_id: accepts an authority created in the same
 * slot.
 */
export const MADE_IN_THIS_SLOT = -(2n ** 63n);

/** The fields of a plan that its owner may change. */
export interface PlanState {
  /** Unix seconds; 0 for no end. */
  readonly endsAt: bigint;
  readonly pullers: readonly Address[];
  readonly metadataUri: string;
}

const list = getArrayEncoder(getAddressEncoder(), { size: LIST_PLACES });
const uri = fixEncoderSize(getUtf8Encoder(), METADATA_URI_BYTES);
const updatePlanData = getStructEncoder([
  ['discriminator', getU8Encoder()],
  ['status', getU8Encoder()],
  ['endsAt', getI64Encoder()],
  ['pullers', list],
  ['metadataUri', uri],
  ['seenCreatedAt', getI64Encoder()],
  ['seenEndsAt', getI64Encoder()],
  ['seenPullers', list],
  ['seenMetadataUri', uri],
]);
const numberedData = getStructEncoder([
  ['discriminator', getU8Encoder()],
  ['number', getI64Encoder()],
]);

/** Instruction 8: the program refuses it (522) if the plan no longer equals `seen`. */
export function updatePlanInstruction(input: {
  owner: TransactionSigner;
  plan: Address;
  active: boolean;
  wanted: PlanState;
  seen: PlanState & { readonly createdAt: bigint };
}): Instruction {
  const { owner, plan, active, wanted, seen } = input;
  return instruction(
    [signer(owner, AccountRole.READONLY_SIGNER), writable(plan), ...eventAccounts()],
    updatePlanData.encode({
      discriminator: 8,
      status: active ? 1 : 0,
      endsAt: wanted.endsAt,
      pullers: padAddresses(wanted.pullers),
      metadataUri: wanted.metadataUri,
      seenCreatedAt: seen.createdAt,
      seenEndsAt: seen.endsAt,
      seenPullers: padAddresses(seen.pullers),
      seenMetadataUri: seen.metadataUri,
    }),
  );
}

/** Instruction 13: resumes a subscription before its cancellation takes effect. */
export function resumeSubscriptionInstruction(input: {
  subscriber: TransactionSigner;
  plan: Address;
  subscription: Address;
  authority: Address;
  seenExpiresAt: bigint;
}): Instruction {
  const { subscriber, plan, subscription, authority, seenExpiresAt } = input;
  return instruction(
    [
      signer(subscriber, AccountRole.READONLY_SIGNER),
      readonly(plan),
      writable(subscription),
      readonly(authority),
      ...eventAccounts(),
    ],
    numberedData.encode({ discriminator: 13, number: seenExpiresAt }),
  );
}

/** A list of a plan, filled up with unused entries. */
export function padAddresses(addresses: readonly Address[]): Address[] {
  if (addresses.length > LIST_PLACES) throw new RangeError(`A plan has places for ${LIST_PLACES} addresses`);
  return Array.from({ length: LIST_PLACES }, (_, index) => addresses[index] ?? NO_ADDRESS);
}

function instruction(accounts: AccountMeta[], data: Instruction['data']): Instruction {
  return { programAddress: PROGRAM, accounts, data };
}

/** The two accounts with which an instruction emits its event. */
function eventAccounts(): AccountMeta[] {
  return [readonly(EVENT_AUTHORITY), readonly(PROGRAM)];
}

function signer(account: TransactionSigner, role: AccountRole): AccountMeta {
  // kit finds the signer of an account in its meta.
  return { address: account.address, role, signer: account } as AccountMeta;
}

function readonly(address: Address): AccountMeta {
  return { address, role: AccountRole.READONLY };
}

function writable(address: Address): AccountMeta {
  return { address, role: AccountRole.WRITABLE };
}
