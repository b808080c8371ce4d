/** Fixed and recurring delegations: instructions 1 to 5 and 15, which dues does not use. */
import {
  type AccountMeta,
  AccountRole,
  type Address,
  getAddressEncoder,
  getProgramDerivedAddress,
  type Instruction,
  type KeyPairSigner,
} from '@solana/kit';
import { SUBSCRIPTIONS_PROGRAM_ADDRESS } from '@solana/subscriptions';
import { describe, expect, it } from 'vitest';
import { EVENT_AUTHORITY } from './instructions.ts';
import { event, type Field, packed } from './packed-bytes.ts';
import { createScenario, HOUR, NOBODY, type Scenario, START_BALANCE } from './scenario.ts';
import { tokenState } from './tokens.ts';
import { FIRST_SLOT, START } from './world.ts';

const [CREATE_FIXED, CREATE_RECURRING, REVOKE, TRANSFER_FIXED, TRANSFER_RECURRING] = [1, 2, 3, 4, 5];
const REVOKE_ABANDONED = 15;
const NONCE = 3n;
const CREATED_IN_THIS_SLOT = -(2n ** 63n);

const readonlyAccount = (address: Address): AccountMeta => ({ address, role: AccountRole.READONLY });
const writableAccount = (address: Address): AccountMeta => ({ address, role: AccountRole.WRITABLE });
const writableSigner = (signer: KeyPairSigner): AccountMeta =>
  ({ address: signer.address, role: AccountRole.WRITABLE_SIGNER, signer }) as AccountMeta;

function call(accounts: AccountMeta[], ...fields: Field[]): Instruction {
  return { programAddress: SUBSCRIPTIONS_PROGRAM_ADDRESS, accounts, data: packed(...fields) };
}

/** A scenario with an authority, and the instructions of a delegation to the puller. */
async function createDelegationScenario() {
  const s = await createScenario();
  await s.world.land([await s.initAuthority()]);
  const bytes = (address: Address) => getAddressEncoder().encode(address);
  const [delegation, bump] = await getProgramDerivedAddress({
    programAddress: SUBSCRIPTIONS_PROGRAM_ADDRESS,
    seeds: [
      ...['delegation', bytes(s.authority), bytes(s.subscriber.address), bytes(s.puller.address)],
      packed(NONCE),
    ],
  });
  const create = (instruction: number, terms: Field[], payer?: KeyPairSigner) =>
    call(
      [
        ...[
          writableSigner(s.subscriber),
          readonlyAccount(s.authority),
          writableAccount(delegation),
          readonlyAccount(s.puller.address),
        ],
        ...[readonlyAccount(NOBODY), ...(payer ? [writableSigner(payer)] : [])],
      ],
      ...[instruction, NONCE, ...terms, CREATED_IN_THIS_SLOT],
    );
  const transfer = (instruction: number, amount: bigint) =>
    call(
      [
        ...[writableAccount(delegation), readonlyAccount(s.authority), writableAccount(s.subscriberTokens)],
        ...[
          writableAccount(s.merchantTokens),
          readonlyAccount(s.mint.address),
          readonlyAccount(s.mint.tokenProgram),
        ],
        ...[
          writableSigner(s.puller),
          readonlyAccount(EVENT_AUTHORITY),
          readonlyAccount(SUBSCRIPTIONS_PROGRAM_ADDRESS),
        ],
      ],
      ...[instruction, amount, s.subscriber.address, s.mint.address],
    );
  const revoke = (actor: KeyPairSigner) => call([writableSigner(actor), writableAccount(delegation)], REVOKE);
  return { ...s, delegation, bump, create, transfer, revoke };
}

type Parties = Pick<Scenario, 'subscriber' | 'puller' | 'authority' | 'mint'> & { readonly bump: number };

function header(s: Parties, kind: number): Uint8Array {
  return packed(
    ...[kind, 1, s.bump, s.subscriber.address, s.puller.address, s.subscriber.address, FIRST_SLOT],
    ...[s.authority, s.mint.address],
  );
}

describe('a fixed delegation', () => {
  it('can be pulled up to its amount until it expires, and emits each transfer', async () => {
    const s = await createDelegationScenario();
    await s.world.land([s.create(CREATE_FIXED, [500n, START + HOUR])]);
    expect(s.world.data(s.delegation)).toEqual(packed(header(s, 2), 500n, START + HOUR));
    expect(await s.world.refusal([s.create(CREATE_FIXED, [500n, 0n])])).toBe(135);

    const { events } = await s.world.land([s.transfer(TRANSFER_FIXED, 200n)]);
    expect(events).toEqual([
      event(
        ...[3, s.delegation, s.subscriber.address, s.puller.address, s.mint.address],
        ...[200n, 300n, s.merchant.address, s.merchantTokens],
      ),
    ]);
    expect(tokenState(s.world, s.subscriberTokens).amount).toBe(START_BALANCE - 200n);
    expect(await s.world.refusal([s.transfer(TRANSFER_FIXED, 0n)])).toBe(129);
    expect(await s.world.refusal([s.transfer(TRANSFER_FIXED, 301n)])).toBe(300);
    expect(await s.world.refusal([s.transfer(TRANSFER_RECURRING, 1n)])).toBe(117);
    s.world.setTime(HOUR);
    await s.world.land([s.transfer(TRANSFER_FIXED, 299n)]);
    s.world.setTime(HOUR + 1n);
    expect(await s.world.refusal([s.transfer(TRANSFER_FIXED, 1n)])).toBe(128);
  });

  it('is refused without an amount, or with an expiry two minutes ago', async () => {
    const s = await createDelegationScenario();
    expect(await s.world.refusal([s.create(CREATE_FIXED, [0n, 0n])])).toBe(302);
    expect(await s.world.refusal([s.create(CREATE_FIXED, [1n, START - 121n])])).toBe(301);
    await s.world.land([s.create(CREATE_FIXED, [1n, START - 120n])]);
  });

  it('can be revoked by the user at any time, and by its sponsor once it is used up', async () => {
    const s = await createDelegationScenario();
    s.world.fund(s.merchant.address);
    await s.world.land([s.create(CREATE_FIXED, [500n, 0n])]);
    await s.world.land([s.revoke(s.subscriber)]);
    expect(s.world.exists(s.delegation)).toBe(false);

    await s.world.land([s.create(CREATE_FIXED, [500n, 0n], s.merchant)]);
    expect(await s.world.refusal([s.revoke(s.puller)])).toBe(130);
    expect(await s.world.refusal([s.revoke(s.merchant)])).toBe(130);
    await s.world.land([s.transfer(TRANSFER_FIXED, 500n)]);
    await s.world.land([s.revoke(s.merchant)]);
    expect(s.world.exists(s.delegation)).toBe(false);
  });
});

describe('a recurring delegation', () => {
  it('can be pulled up to its amount in each period, and forfeits the rest', async () => {
    const s = await createDelegationScenario();
    const expiry = START + 3n * HOUR;
    await s.world.land([s.create(CREATE_RECURRING, [100n, HOUR, 0n, expiry])]);
    expect(s.world.data(s.delegation)).toEqual(packed(header(s, 3), START, HOUR, expiry, 100n, 0n));
    await s.world.land([s.transfer(TRANSFER_RECURRING, 60n)]);
    expect(await s.world.refusal([s.transfer(TRANSFER_RECURRING, 41n)])).toBe(400);
    s.world.setTime(2n * HOUR + 5n);
    const { events } = await s.world.land([s.transfer(TRANSFER_RECURRING, 100n)]);
    expect(events).toEqual([
      event(
        ...[4, s.delegation, s.subscriber.address, s.puller.address, s.mint.address, 100n],
        ...[START + 2n * HOUR, expiry, 100n, s.merchant.address, s.merchantTokens],
      ),
    ]);
    // No period starts at the expiry itself.
    s.world.setTime(3n * HOUR);
    expect(await s.world.refusal([s.transfer(TRANSFER_RECURRING, 1n)])).toBe(400);
    s.world.setTime(3n * HOUR + 1n);
    expect(await s.world.refusal([s.transfer(TRANSFER_RECURRING, 1n)])).toBe(128);
  });

  it.each<[string, number, bigint[]]>([
    ['starts when it lands and never expires', 408, [1n, HOUR, 0n, 0n]],
    ['has expired when it lands', 405, [1n, HOUR, 0n, START]],
    ['starts more than two minutes ago', 404, [1n, HOUR, START - 121n, 0n]],
    ['starts when it expires', 405, [1n, HOUR, START + HOUR, START + HOUR]],
    ['has no period', 402, [1n, 0n, START, 0n]],
    ['has a period of more than a year', 402, [1n, 31_536_001n, START, 0n]],
    ['has an amount of zero', 406, [0n, HOUR, START, 0n]],
  ])('is refused if it %s', async (_, code, terms) => {
    const s = await createDelegationScenario();
    expect(await s.world.refusal([s.create(CREATE_RECURRING, terms)])).toBe(code);
  });

  it('returns the rent to its sponsor once the authority is closed', async () => {
    const s = await createDelegationScenario();
    s.world.fund(s.merchant.address);
    await s.world.land([s.create(CREATE_RECURRING, [1n, HOUR, START, 0n], s.merchant)]);
    const recover = call(
      [writableSigner(s.merchant), writableAccount(s.delegation), readonlyAccount(s.authority)],
      REVOKE_ABANDONED,
    );
    expect(await s.world.refusal([recover])).toBe(130);
    await s.world.land([await s.closeAuthority()]);
    // In the same slot the authority could be created again with the same init id.
    expect(await s.world.refusal([recover])).toBe(130);
    s.world.setTime(0n, FIRST_SLOT + 1n);
    await s.world.land([recover]);
    expect(s.world.exists(s.delegation)).toBe(false);
  });
});
