/**
 * Effects of 0 initSubscriptionAuthority, 6 closeSubscriptionAuthority, 14
 * revokeSubscriptionAuthority.
 */
import { getApproveInstruction } from '@solana-program/token';
import { describe, expect, it } from 'vitest';
import { packed } from './packed-bytes.ts';
import { createScenario, NOBODY, openScenario, type Scenario } from './scenario.ts';
import { tokenState } from './tokens.ts';
import { FIRST_SLOT, person } from './world.ts';

const UNLIMITED = 2n ** 64n - 1n;
const AUTHORITY_SIZE = 106n;

const none = { __option: 'None' };
const some = (value: unknown) => ({ __option: 'Some', value });

async function approveAnotherApp({ world, subscriber, subscriberTokens }: Scenario) {
  const { address: delegate } = await person('another app');
  await world.land([
    getApproveInstruction({ source: subscriberTokens, delegate, owner: subscriber, amount: 5n }),
  ]);
  return delegate;
}

describe('initSubscriptionAuthority', () => {
  it('creates the authority and an unlimited approval for it, and emits no event', async () => {
    const s = await createScenario();
    const { events } = await s.world.land([await s.initAuthority()]);
    const { mint, subscriber, authorityBump } = s;
    expect(s.world.data(s.authority)).toEqual(
      packed(0, subscriber.address, mint.address, subscriber.address, authorityBump, FIRST_SLOT),
    );
    expect(tokenState(s.world, s.subscriberTokens)).toMatchObject({
      delegate: some(s.authority),
      delegatedAmount: UNLIMITED,
    });
    expect(events).toEqual([]);
  });

  it('takes exactly the rent from the subscriber', async () => {
    const s = await createScenario();
    const before = s.world.balance(s.subscriber.address);
    await s.world.land([await s.initAuthority()]);
    const rent = s.world.svm.minimumBalanceForRentExemption(AUTHORITY_SIZE);
    expect(before - s.world.balance(s.subscriber.address)).toBe(rent);
    expect(s.world.balance(s.authority)).toBe(rent);
  });

  it('renews the approval of an authority, and its subscriptions stay valid', async () => {
    const s = await openScenario();
    const before = s.world.data(s.authority);
    await approveAnotherApp(s);
    expect(await s.world.refusal([s.pull()])).toBe(4);
    s.world.setTime(100n);
    await s.world.land([await s.initAuthority()]);
    expect(s.world.data(s.authority)).toEqual(before);
    await s.world.land([s.pull()]);
  });

  it('keeps the first payer when another one renews the approval', async () => {
    const s = await openScenario();
    const sponsor = await person('sponsor');
    s.world.fund(sponsor.address);
    await s.world.land([await s.initAuthority(sponsor)]);
    expect(s.readAuthority().payer).toBe(s.subscriber.address);
  });
});

describe('closeSubscriptionAuthority', () => {
  it('returns the rent and leaves an approval without effect', async () => {
    const s = await openScenario();
    const before = s.world.balance(s.subscriber.address);
    const { events } = await s.world.land([await s.closeAuthority()]);
    expect(s.world.exists(s.authority)).toBe(false);
    const rent = s.world.svm.minimumBalanceForRentExemption(AUTHORITY_SIZE);
    expect(s.world.balance(s.subscriber.address) - before).toBe(rent);
    expect(events).toEqual([]);
    expect(tokenState(s.world, s.subscriberTokens).delegate).toEqual(some(s.authority));
    expect(await s.world.refusal([s.pull()])).toBe(103);
  });

  it('ends the subscriptions permanently: a later authority has another init id', async () => {
    const s = await openScenario();
    await s.world.land([await s.closeAuthority()]);
    s.world.setTime(1n);
    await s.world.land([await s.initAuthority()]);
    expect(s.readAuthority().initId).toBe(FIRST_SLOT + 1n);
    expect(await s.world.refusal([s.pull()])).toBe(136);
  });
});

describe('revokeSubscriptionAuthority', () => {
  it('removes the approval and closes the authority', async () => {
    const s = await openScenario();
    const before = s.world.balance(s.subscriber.address);
    const { events } = await s.world.land([s.revokeAuthority()]);
    expect(s.world.exists(s.authority)).toBe(false);
    expect(tokenState(s.world, s.subscriberTokens)).toMatchObject({ delegate: none, delegatedAmount: 0n });
    const rent = s.world.svm.minimumBalanceForRentExemption(AUTHORITY_SIZE);
    expect(s.world.balance(s.subscriber.address) - before).toBe(rent);
    expect(events).toEqual([]);
  });

  it('does not change the approval of another app', async () => {
    const s = await openScenario();
    const delegate = await approveAnotherApp(s);
    await s.world.land([s.revokeAuthority()]);
    expect(s.world.exists(s.authority)).toBe(false);
    expect(tokenState(s.world, s.subscriberTokens)).toMatchObject({
      delegate: some(delegate),
      delegatedAmount: 5n,
    });
  });

  it('removes the approval when the authority is already closed', async () => {
    const s = await openScenario();
    await s.world.land([await s.closeAuthority()]);
    await s.world.land([s.revokeAuthority()]);
    expect(tokenState(s.world, s.subscriberTokens).delegate).toEqual(none);
  });

  it('succeeds without effect when there is neither an approval nor an authority', async () => {
    const s = await createScenario();
    const before = s.world.data(s.subscriberTokens);
    await s.world.land([s.revokeAuthority()]);
    expect(s.world.data(s.subscriberTokens)).toEqual(before);
    expect(tokenState(s.world, s.subscriberTokens).delegate).not.toEqual(some(NOBODY));
  });
});
