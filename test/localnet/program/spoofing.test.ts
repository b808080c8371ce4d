/** Forged accounts and instructions, and one account in two roles. */
import { AccountRole, type Address, type Instruction } from '@solana/kit';
import { SUBSCRIPTIONS_PROGRAM_ADDRESS } from '@solana/subscriptions';
import { getApproveInstruction } from '@solana-program/token';
import { describe, expect, it } from 'vitest';
import { withAddress, withPayer } from './altered-instruction.ts';
import { EVENT_AUTHORITY } from './instructions.ts';
import { event, packed } from './packed-bytes.ts';
import { createScenario, openScenario, PRICE, type Scenario } from './scenario.ts';
import { tokenState } from './tokens.ts';
import { person, START } from './world.ts';

/**
 * Copies an account's data, altered by `change`, to an address that another program owns. Returns
 * that address.
 */
async function forge(s: Scenario, original: Address, change: (data: Uint8Array) => void = () => undefined) {
  const { address } = await person('forgery');
  const { address: programAddress } = await person('program of a thief');
  const data = s.world.data(original);
  change(data);
  s.world.tamper(address, { data, programAddress });
  return address;
}

describe('a forged account', () => {
  it('collects nothing if it is a plan that names the attacker as its owner', async () => {
    const s = await openScenario();
    const thief = await person('thief');
    const plan = await forge(s, s.plan, (data) => data.set(packed(thief.address), 1));
    expect(await s.world.refusal([withAddress(s.pull({ caller: thief }), 1, plan)])).toBe(516);
  });

  it('accepts no subscribers, no updates and no deletion if it is a plan', async () => {
    const s = await openScenario();
    const plan = await forge(s, s.plan);
    const calls = [withAddress(await s.subscribe(), 2, plan), withAddress(s.updatePlan({}), 1, plan)];
    for (const call of [...calls, withAddress(s.deletePlan(), 1, plan)]) {
      expect(await s.world.refusal([call])).toBe('InvalidAccountOwner');
    }
  });

  it('collects nothing if it is a subscription with a higher price', async () => {
    const s = await openScenario();
    const subscription = await forge(s, s.subscription, (data) => data.set(packed(1000n * PRICE), 107));
    expect(await s.world.refusal([withAddress(s.pull(), 0, subscription)])).toBe('InvalidAccountOwner');
  });

  it('is refused if it is an authority', async () => {
    const s = await openScenario();
    const authority = await forge(s, s.authority);
    expect(await s.world.refusal([withAddress(s.pull(), 2, authority)])).toBe(103);
    expect(await s.world.refusal([withAddress(await s.closeAuthority(), 1, authority)])).toBe(
      'InvalidAccountOwner',
    );
  });

  it('receives nothing if it is a token account that names the merchant as its owner', async () => {
    const s = await openScenario();
    const to = await forge(s, s.merchantTokens);
    expect(await s.world.refusal([s.pull({ to })])).toBe(110);
  });
});

describe('a real account of another subscription', () => {
  it('does not give access to its subscriber’s tokens', async () => {
    const s = await openScenario();
    const other = await openScenario({ world: s.world, mint: s.mint, subscriber: 'other' });
    expect(await s.world.refusal([s.pull({ from: other.subscriberTokens })])).toBe(130);
    expect(await s.world.refusal([withAddress(s.pull(), 0, other.subscription)])).toBe(130);
    expect(await s.world.refusal([withAddress(s.pull(), 2, other.authority)])).toBe(126);
  });

  it('cannot be cancelled, resumed or closed by another wallet', async () => {
    const s = await openScenario();
    const other = await openScenario({ world: s.world, mint: s.mint, subscriber: 'other' });
    expect(await s.world.refusal([withAddress(await s.cancel(), 2, other.subscription)])).toBe(130);
    await s.world.land([await other.cancel()]);
    const resume = other.resume(other.readSubscription().expiresAtTs, { subscriber: s.subscriber });
    expect(await s.world.refusal([resume])).toBe(130);
    expect(await s.world.refusal([other.revoke(s.subscriber)])).toBe(130);
  });
});

describe('emitEvent', () => {
  const emit = (...accounts: { address: Address; role: AccountRole }[]): Instruction => {
    return { programAddress: SUBSCRIPTIONS_PROGRAM_ADDRESS, accounts, data: event(1) };
  };

  it('is refused unless the program calls itself', async () => {
    const { world, plan } = await createScenario();
    const authority = { address: EVENT_AUTHORITY, role: AccountRole.READONLY };
    expect(await world.refusal([emit(authority)])).toBe('MissingRequiredSignature');
    expect(await world.refusal([emit()])).toBe('NotEnoughAccountKeys');
    expect(await world.refusal([emit(authority, { address: plan, role: AccountRole.READONLY })])).toBe(
      'NotEnoughAccountKeys',
    );
  });

  it('is refused for a signer that is not the event authority', async () => {
    const s = await createScenario();
    expect(await s.world.refusal([withPayer(emit(), s.puller)])).toBe(600);
  });
});

describe('an unknown instruction', () => {
  const unknown = [18, 227, 229, 255];
  it.each(unknown)('fails with 114 for %i', async (discriminator) => {
    const { world } = await createScenario();
    const data = Uint8Array.of(discriminator);
    expect(await world.refusal([{ programAddress: SUBSCRIPTIONS_PROGRAM_ADDRESS, data }])).toBe(114);
  });

  it('fails with 114 for empty data', async () => {
    const { world } = await createScenario();
    expect(await world.refusal([{ programAddress: SUBSCRIPTIONS_PROGRAM_ADDRESS }])).toBe(114);
  });
});

describe('one account in two roles', () => {
  it('may be payer and subscriber', async () => {
    const s = await createScenario();
    await s.world.land([withPayer(s.createPlan(), s.merchant), await s.initAuthority(s.subscriber)]);
    await s.world.land([await s.subscribe({ payer: s.subscriber })]);
    expect(s.readSubscription().header).toMatchObject({
      payer: s.subscriber.address,
      delegator: s.subscriber.address,
    });
    await s.world.land([s.pull()]);
    expect(tokenState(s.world, s.merchantTokens).amount).toBe(PRICE);
  });

  it('may be merchant and subscriber: the tokens stay, and the pull counts', async () => {
    const s = await openScenario({ subscriber: 'merchant' });
    expect(s.subscriber.address).toBe(s.merchant.address);
    const before = tokenState(s.world, s.merchantTokens).amount;
    const { events } = await s.world.land([s.pull({ caller: s.merchant })]);
    expect(tokenState(s.world, s.merchantTokens).amount).toBe(before);
    expect(s.readSubscription().amountPulledInPeriod).toBe(PRICE);
    expect(events[0]?.subarray(-32)).toEqual(packed(s.merchant.address));
    await s.world.land([s.cancelNow()]);
    expect(s.readSubscription().expiresAtTs).toBe(START);
  });

  it('may not be plan and subscription', async () => {
    const s = await openScenario();
    expect(await s.world.refusal([withAddress(s.pull(), 1, s.subscription)])).toBe(111);
    expect(await s.world.refusal([withAddress(await s.cancel(), 1, s.subscription)])).toBe(505);
  });

  it('may appear again after an instruction’s accounts, as hook accounts', async () => {
    const s = await openScenario();
    const pull = s.pull();
    const accounts = [...(pull.accounts ?? []), ...(pull.accounts ?? [])];
    await s.world.land([{ ...pull, accounts }]);
    expect(tokenState(s.world, s.merchantTokens).amount).toBe(PRICE);
  });
});

describe('an approval for the address of a closed authority', () => {
  it('does not replace the authority: a new subscription is refused', async () => {
    const s = await createScenario();
    await s.world.land([s.createPlan(), await s.initAuthority()]);
    const subscribe = await s.subscribe();
    await s.world.land([await s.closeAuthority()]);
    const [source, delegate, owner] = [s.subscriberTokens, s.authority, s.subscriber];
    await s.world.land([getApproveInstruction({ source, delegate, owner, amount: 1_000_000n })]);
    expect(await s.world.refusal([subscribe])).toBe(103);
  });
});
