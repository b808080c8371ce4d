/**
 * Instructions of release 0.5 that `@solana/subscriptions` 0.3.0 lacks or builds in an older
 * layout: 8, 13, 14 and 17. The file can be deleted once there is a client of release 0.5.
 */
import {
  type AccountMeta,
  AccountRole,
  type Address,
  type Instruction,
  type TransactionSigner,
} from '@solana/kit';
import { type Plan, SUBSCRIPTIONS_PROGRAM_ADDRESS } from '@solana/subscriptions';
import { packed, padded } from './packed-bytes.ts';

export const EVENT_AUTHORITY = '3Hnj4BYoDgtpBuqXfiy7Y8cNa3jXaNd4oqgSXBzkMcH7' as Address;

const METADATA_URI_LENGTH = 128;

function signer(account: TransactionSigner, role: AccountRole): AccountMeta {
  // kit reads the signer of an account from its meta.
  return { address: account.address, role, signer: account } as AccountMeta;
}

const readonlyAccount = (address: Address): AccountMeta => ({ address, role: AccountRole.READONLY });
const writableAccount = (address: Address): AccountMeta => ({ address, role: AccountRole.WRITABLE });

/** The two accounts through which an instruction emits its event. */
const eventAccounts: AccountMeta[] = [
  readonlyAccount(EVENT_AUTHORITY),
  readonlyAccount(SUBSCRIPTIONS_PROGRAM_ADDRESS),
];

function instruction(accounts: AccountMeta[], data: Uint8Array): Instruction {
  return { programAddress: SUBSCRIPTIONS_PROGRAM_ADDRESS, accounts, data };
}

export type PlanState = { endTs: bigint; pullers: Address[]; metadataUri: string };

export type UpdatePlanInput = {
  owner: TransactionSigner;
  plan: Address;
  status: number;
  next: PlanState;
  /** The plan as the owner saw it when signing. */
  seen: PlanState & { createdAt: bigint };
};

/** The expected values of an update, from a decoded plan. */
export function seenPlan(plan: Plan): UpdatePlanInput['seen'] {
  const { endTs, pullers, metadataUri, terms } = plan.data;
  return { createdAt: terms.createdAt, endTs, pullers, metadataUri };
}

/**
 * 8 updatePlan: all four entries of the pullers are written, so `pullers` must be padded to four.
 */
export function updatePlanInstruction({ owner, plan, status, next, seen }: UpdatePlanInput): Instruction {
  const state = ({ endTs, pullers, metadataUri }: PlanState) =>
    packed(endTs, ...pullers, padded(metadataUri, METADATA_URI_LENGTH));
  return instruction(
    [signer(owner, AccountRole.READONLY_SIGNER), writableAccount(plan), ...eventAccounts],
    packed(8, status, state(next), seen.createdAt, state(seen)),
  );
}

/** 13 resumeSubscription: `seenExpiresAt` is the end set by the cancellation that it takes back. */
export function resumeSubscriptionInstruction(input: {
  subscriber: TransactionSigner;
  plan: Address;
  subscription: Address;
  authority: Address;
  seenExpiresAt: bigint;
}): Instruction {
  return instruction(
    [
      signer(input.subscriber, AccountRole.READONLY_SIGNER),
      readonlyAccount(input.plan),
      writableAccount(input.subscription),
      readonlyAccount(input.authority),
      ...eventAccounts,
    ],
    packed(13, input.seenExpiresAt),
  );
}

/** 14 revokeSubscriptionAuthority: `receiver` is needed if another account paid the rent. */
export function revokeSubscriptionAuthorityInstruction(input: {
  user: TransactionSigner;
  tokenAccount: Address;
  mint: Address;
  tokenProgram: Address;
  authority: Address;
  receiver?: Address;
}): Instruction {
  return instruction(
    [
      signer(input.user, AccountRole.WRITABLE_SIGNER),
      writableAccount(input.tokenAccount),
      readonlyAccount(input.mint),
      readonlyAccount(input.tokenProgram),
      writableAccount(input.authority),
      ...(input.receiver ? [writableAccount(input.receiver)] : []),
    ],
    packed(14),
  );
}

/**
 * 17 cancelSubscriptionNow: subscriber and merchant sign. `seenPeriodStart` distinguishes this
 * subscription from a later one.
 */
export function cancelSubscriptionNowInstruction(input: {
  subscriber: TransactionSigner;
  merchant: TransactionSigner;
  plan: Address;
  subscription: Address;
  seenPeriodStart: bigint;
}): Instruction {
  return instruction(
    [
      signer(input.subscriber, AccountRole.READONLY_SIGNER),
      signer(input.merchant, AccountRole.READONLY_SIGNER),
      readonlyAccount(input.plan),
      writableAccount(input.subscription),
      ...eventAccounts,
    ],
    packed(17, input.seenPeriodStart),
  );
}
