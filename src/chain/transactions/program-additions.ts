/**
 * The parts of program release 0.5 that its client `@solana/subscriptions` 0.3.0 lacks or builds in
 * an older layout: instructions 8 and 13, and the init_id that allows init and subscribe in one
 * transaction. (Instructions 14 and 17 are only read, in touched-accounts.ts and events.ts.) This
 * file can be deleted once a later client is generated from the IDL of program 0.5.
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

/** Maximum addresses in each list of a plan: its destinations and its pullers. */
export const MAX_LIST_ADDRESSES = 4;
/** Maximum bytes of a plan's metadata URI. */
export const METADATA_URI_BYTES = 128;

/**
 * A value that `subscribe` accepts instead of the authority's init_id, for an authority that was
 * created in the same slot.
 */
export const MADE_IN_THIS_SLOT = -(2n ** 63n);

/** The fields of a plan that its owner may change. */
export interface PlanState {
  /** Unix seconds; 0 for no end. */
  readonly endsAt: bigint;
  readonly pullers: readonly Address[];
  readonly metadataUri: string;
}

const addressList = getArrayEncoder(getAddressEncoder(), { size: MAX_LIST_ADDRESSES });
const metadataUriText = fixEncoderSize(getUtf8Encoder(), METADATA_URI_BYTES);
const updatePlanData = getStructEncoder([
  ['discriminator', getU8Encoder()],
  ['status', getU8Encoder()],
  ['endsAt', getI64Encoder()],
  ['pullers', addressList],
  ['metadataUri', metadataUriText],
  ['seenCreatedAt', getI64Encoder()],
  ['seenEndsAt', getI64Encoder()],
  ['seenPullers', addressList],
  ['seenMetadataUri', metadataUriText],
]);
const numberData = getStructEncoder([
  ['discriminator', getU8Encoder()],
  ['number', getI64Encoder()],
]);

/**
 * Instruction 8: updates a plan. The program refuses it (522) if the plan no longer equals `seen`.
 */
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
    numberData.encode({ discriminator: 13, number: seenExpiresAt }),
  );
}

/** Pads a list of a plan with unused entries. */
export function padAddresses(addresses: readonly Address[]): Address[] {
  if (addresses.length > MAX_LIST_ADDRESSES)
    throw new RangeError(`A list of a plan has at most ${MAX_LIST_ADDRESSES} addresses`);
  return Array.from({ length: MAX_LIST_ADDRESSES }, (_, index) => addresses[index] ?? NO_ADDRESS);
}

function instruction(accounts: AccountMeta[], data: Instruction['data']): Instruction {
  return { programAddress: PROGRAM, accounts, data };
}

/** The two accounts with which an instruction emits its event. */
function eventAccounts(): AccountMeta[] {
  return [readonly(EVENT_AUTHORITY), readonly(PROGRAM)];
}

function signer(account: TransactionSigner, role: AccountRole): AccountMeta {
  // kit looks for the signer of an account in its meta.
  return { address: account.address, role, signer: account } as AccountMeta;
}

function readonly(address: Address): AccountMeta {
  return { address, role: AccountRole.READONLY };
}

function writable(address: Address): AccountMeta {
  return { address, role: AccountRole.WRITABLE };
}
