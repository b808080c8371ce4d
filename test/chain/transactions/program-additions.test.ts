import { createNoopSigner } from '@solana/kit';
import { expect, test } from 'vitest';
import { EVENT_AUTHORITY, NO_ADDRESS, PROGRAM } from '../../../src/chain/accounts/addresses.ts';
import {
  padAddresses,
  resumeSubscriptionInstruction,
  updatePlanInstruction,
} from '../../../src/chain/transactions/program-additions.ts';
import { packed, padded } from '../../localnet/program/packed-bytes.ts';
import { addressOf } from '../numbered-addresses.ts';

const owner = addressOf(1);
const plan = addressOf(2);
const puller = addressOf(3);

test('updatePlan has the layout of the IDL of release 0.5', () => {
  const { programAddress, accounts, data } = updatePlanInstruction({
    owner: createNoopSigner(owner),
    plan,
    active: false,
    wanted: { endsAt: 1_900_000_000n, pullers: [], metadataUri: 'new' },
    seen: { createdAt: 1_800_000_000n, endsAt: 0n, pullers: [puller], metadataUri: 'old' },
  });
  expect(programAddress).toBe(PROGRAM);
  expect(accounts?.map(({ address, role }) => [address, role])).toEqual([
    [owner, 2],
    [plan, 1],
    [EVENT_AUTHORITY, 0],
    [PROGRAM, 0],
  ]);
  const emptySlots = [NO_ADDRESS, NO_ADDRESS, NO_ADDRESS];
  expect(new Uint8Array(data ?? [])).toEqual(
    packed(
      ...[8, 0, 1_900_000_000n, NO_ADDRESS, ...emptySlots, padded('new', 128)],
      ...[1_800_000_000n, 0n, puller, ...emptySlots, padded('old', 128)],
    ),
  );
  // One byte of discriminator and 537 bytes of data.
  expect(data?.length).toBe(538);
});

test('resumeSubscription has the layout of the IDL of release 0.5', () => {
  const [subscriber, subscription, authority] = [addressOf(1), addressOf(4), addressOf(5)];
  const { accounts, data } = resumeSubscriptionInstruction({
    subscriber: createNoopSigner(subscriber),
    plan,
    subscription,
    authority,
    seenExpiresAt: 1_900_000_000n,
  });
  expect(accounts?.map(({ address, role }) => [address, role])).toEqual([
    [subscriber, 2],
    [plan, 0],
    [subscription, 1],
    [authority, 0],
    [EVENT_AUTHORITY, 0],
    [PROGRAM, 0],
  ]);
  expect(new Uint8Array(data ?? [])).toEqual(packed(13, 1_900_000_000n));
});

test('a plan has at most four pullers', () => {
  expect(padAddresses([owner])).toEqual([owner, NO_ADDRESS, NO_ADDRESS, NO_ADDRESS]);
  expect(() => padAddresses([owner, owner, owner, owner, owner])).toThrow(RangeError);
});
