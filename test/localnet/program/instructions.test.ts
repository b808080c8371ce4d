/**
 * Compares the builders of `instructions.ts` with the layouts that release 0.5 publishes: lengths,
 * offsets, accounts and roles.
 */
import { AccountRole, type Address, type Instruction, isSignerRole, isWritableRole } from '@solana/kit';
import { SUBSCRIPTIONS_PROGRAM_ADDRESS } from '@solana/subscriptions';
import { describe, expect, it } from 'vitest';
import {
  cancelSubscriptionNowInstruction,
  EVENT_AUTHORITY,
  resumeSubscriptionInstruction,
  revokeSubscriptionAuthorityInstruction,
  updatePlanInstruction,
} from './instructions.ts';
import { packed, padded } from './packed-bytes.ts';
import { person } from './world.ts';

const [alice, bob, carol, dave] = await Promise.all(['alice', 'bob', 'carol', 'dave'].map(person));
if (!alice || !bob || !carol || !dave) throw new Error('expected four people');
const [plan, subscription, authority] = [bob.address, carol.address, dave.address];

/** The accounts as texts: the address, `s` for a signer, `w` for a writable account. */
function accounts(instruction: Instruction): string[] {
  return (instruction.accounts ?? []).map(
    ({ address, role }) => `${address} ${isSignerRole(role) ? 's' : ''}${isWritableRole(role) ? 'w' : ''}`,
  );
}

const bytes = (instruction: Instruction) => Buffer.from(instruction.data ?? []);
const events = [`${EVENT_AUTHORITY} `, `${SUBSCRIPTIONS_PROGRAM_ADDRESS} `];

describe('the instructions that the official client cannot build yet', () => {
  it('8 updatePlan contains the new values, then the expected ones, in 537 bytes', () => {
    const newPullers = [alice.address, bob.address, carol.address, dave.address];
    const expectedPullers = [dave.address, carol.address, bob.address, alice.address];
    const instruction = updatePlanInstruction({
      owner: alice,
      plan,
      status: 1,
      next: { endTs: 11n, pullers: newPullers, metadataUri: 'wanted' },
      seen: { createdAt: 22n, endTs: 33n, pullers: expectedPullers, metadataUri: 'seen' },
    });
    const data = bytes(instruction);
    expect(data.length).toBe(1 + 537);
    expect([data.readUInt8(0), data.readUInt8(1), data.readBigInt64LE(2)]).toEqual([8, 1, 11n]);
    expect(data.subarray(1 + 9, 1 + 137)).toEqual(Buffer.from(packed(...newPullers)));
    expect(data.subarray(1 + 137, 1 + 265)).toEqual(Buffer.from(padded('wanted', 128)));
    expect([data.readBigInt64LE(1 + 265), data.readBigInt64LE(1 + 273)]).toEqual([22n, 33n]);
    expect(data.subarray(1 + 281, 1 + 409)).toEqual(Buffer.from(packed(...expectedPullers)));
    expect(data.subarray(1 + 409)).toEqual(Buffer.from(padded('seen', 128)));
    expect(accounts(instruction)).toEqual([`${alice.address} s`, `${plan} w`, ...events]);
  });

  it('13 resumeSubscription names the expiry that it removes', () => {
    const instruction = resumeSubscriptionInstruction({
      subscriber: alice,
      plan,
      subscription,
      authority,
      seenExpiresAt: -2n,
    });
    expect(bytes(instruction).toString('hex')).toBe('0dfeffffffffffffff');
    expect(accounts(instruction)).toEqual([
      `${alice.address} s`,
      `${plan} `,
      `${subscription} w`,
      `${authority} `,
      ...events,
    ]);
  });

  it('14 revokeSubscriptionAuthority has no data, and the receiver only if it is given', () => {
    const input = {
      user: alice,
      tokenAccount: bob.address,
      mint: carol.address,
      tokenProgram: SUBSCRIPTIONS_PROGRAM_ADDRESS as Address,
      authority,
    };
    const required = [
      `${alice.address} sw`,
      `${bob.address} w`,
      `${carol.address} `,
      `${SUBSCRIPTIONS_PROGRAM_ADDRESS} `,
      `${authority} w`,
    ];
    expect(bytes(revokeSubscriptionAuthorityInstruction(input)).toString('hex')).toBe('0e');
    expect(accounts(revokeSubscriptionAuthorityInstruction(input))).toEqual(required);
    const sponsored = revokeSubscriptionAuthorityInstruction({ ...input, receiver: plan });
    expect(accounts(sponsored)).toEqual([...required, `${plan} w`]);
  });

  it('17 cancelSubscriptionNow is signed by both sides and names the expected period', () => {
    const instruction = cancelSubscriptionNowInstruction({
      subscriber: alice,
      merchant: bob,
      plan,
      subscription,
      seenPeriodStart: 258n,
    });
    expect(bytes(instruction).toString('hex')).toBe('110201000000000000');
    expect(accounts(instruction)).toEqual([
      `${alice.address} s`,
      `${bob.address} s`,
      `${plan} `,
      `${subscription} w`,
      ...events,
    ]);
    expect(instruction.accounts?.[0]?.role).toBe(AccountRole.READONLY_SIGNER);
  });
});
