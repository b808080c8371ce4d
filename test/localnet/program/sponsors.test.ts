/**
 * The rent: its payer, the cost if the address already has lamports, and the receiver of the
 * refund.
 */
import { SUBSCRIPTIONS_PROGRAM_ADDRESS } from '@solana/subscriptions';
import { describe, expect, it } from 'vitest';
import { makeReadonly, withPayer } from './altered-instruction.ts';
import { createScenario, PERIOD, type Scenario, type ScenarioOptions } from './scenario.ts';
import { person, START } from './world.ts';

const SIZES = { plan: 491n, authority: 106n, subscription: 155n };
type Kind = keyof typeof SIZES;
const KINDS: Kind[] = ['plan', 'authority', 'subscription'];

async function createSponsorWorld(options: ScenarioOptions = {}) {
  const s = await createScenario(options);
  const sponsor = await person('sponsor');
  s.world.fund(sponsor.address);
  const rent = (kind: Kind) => s.world.svm.minimumBalanceForRentExemption(SIZES[kind]);
  return { s, sponsor, rent };
}

/** Creates one of the three accounts. The accounts that it needs must exist. */
async function createAccount(s: Scenario, kind: Kind, payer?: Awaited<ReturnType<typeof person>>) {
  if (kind === 'plan') return s.world.land([payer ? withPayer(s.createPlan(), payer) : s.createPlan()]);
  if (kind === 'authority') return s.world.land([await s.initAuthority(payer)]);
  return s.world.land([await s.subscribe(payer ? { payer } : {})]);
}

async function createAccountsBefore(s: Scenario, kind: Kind) {
  for (const earlier of KINDS.slice(0, KINDS.indexOf(kind))) await createAccount(s, earlier);
}

/** All three accounts exist, and the sponsor paid for the authority and the subscription. */
async function createSponsored(options: ScenarioOptions = {}) {
  const world = await createSponsorWorld(options);
  await createAccount(world.s, 'plan');
  await createAccount(world.s, 'authority', world.sponsor);
  await createAccount(world.s, 'subscription', world.sponsor);
  return world;
}

describe('the rent', () => {
  it.each(KINDS)('of a sponsored %s is paid only by the sponsor', async (kind) => {
    const { s, sponsor, rent } = await createSponsorWorld();
    await createAccountsBefore(s, kind);
    const owners = [s.merchant.address, s.subscriber.address];
    const [ownersBefore, before] = [owners.map(s.world.balance), s.world.balance(sponsor.address)];
    await createAccount(s, kind, sponsor);
    expect(before - s.world.balance(sponsor.address)).toBe(rent(kind));
    expect(owners.map(s.world.balance)).toEqual(ownersBefore);
  });

  it('is stored with its payer', async () => {
    const { s, sponsor } = await createSponsored();
    expect(s.readAuthority().payer).toBe(sponsor.address);
    expect(s.readSubscription().header.payer).toBe(sponsor.address);
  });

  it.each(KINDS)('of a %s whose address already has some lamports is topped up', async (kind) => {
    const { s, rent } = await createSponsorWorld();
    await createAccountsBefore(s, kind);
    const payer = kind === 'plan' ? s.merchant : s.subscriber;
    s.world.fund(s[kind], 1_000_000n);
    const before = s.world.balance(payer.address);
    await createAccount(s, kind);
    expect(before - s.world.balance(payer.address)).toBe(rent(kind) - 1_000_000n);
    expect(s.world.balance(s[kind])).toBe(rent(kind));
    expect(s.world.svm.getAccount(s[kind])).toMatchObject({ programAddress: SUBSCRIPTIONS_PROGRAM_ADDRESS });
    expect(s.world.data(s[kind]).length).toBe(Number(SIZES[kind]));
  });

  it.each(KINDS)('of a %s whose address already has enough lamports costs nothing', async (kind) => {
    const { s } = await createSponsorWorld();
    await createAccountsBefore(s, kind);
    const payer = kind === 'plan' ? s.merchant : s.subscriber;
    s.world.fund(s[kind], 1_000_000_000n);
    const before = s.world.balance(payer.address);
    await createAccount(s, kind);
    expect(s.world.balance(payer.address)).toBe(before);
    expect(s.world.balance(s[kind])).toBe(1_000_000_000n);
  });

  it('follows the current price per byte', async () => {
    const { s } = await createSponsorWorld();
    const rent = s.world.svm.getRent();
    rent.lamportsPerByteYear /= 2n;
    s.world.svm.setRent(rent);
    await createAccount(s, 'plan');
    expect(s.world.balance(s.plan)).toBe(s.world.svm.minimumBalanceForRentExemption(SIZES.plan));
  });
});

describe('the refund', () => {
  it('of a closed authority goes only to its sponsor', async () => {
    const { s, sponsor, rent } = await createSponsored();
    const before = s.world.balance(sponsor.address);
    expect(await s.world.refusal([await s.closeAuthority()])).toBe(113);
    expect(await s.world.refusal([await s.closeAuthority(s.merchant.address)])).toBe(130);
    expect(await s.world.refusal([makeReadonly(await s.closeAuthority(sponsor.address), 2)])).toBe(131);
    await s.world.land([await s.closeAuthority(sponsor.address)]);
    expect(s.world.balance(sponsor.address) - before).toBe(rent('authority'));
  });

  it('of a revoked authority goes only to its sponsor', async () => {
    const { s, sponsor, rent } = await createSponsored();
    const before = s.world.balance(sponsor.address);
    expect(await s.world.refusal([s.revokeAuthority()])).toBe(113);
    expect(await s.world.refusal([s.revokeAuthority(s.merchant.address)])).toBe(130);
    await s.world.land([s.revokeAuthority(sponsor.address)]);
    expect(s.world.balance(sponsor.address) - before).toBe(rent('authority'));
  });

  it('of a subscription that its subscriber closes goes only to its sponsor', async () => {
    const { s, sponsor, rent } = await createSponsored();
    await s.world.land([s.cancelNow()]);
    const before = s.world.balance(sponsor.address);
    expect(await s.world.refusal([s.revoke()])).toBe(113);
    expect(await s.world.refusal([s.revoke(s.subscriber, s.merchant.address)])).toBe(130);
    expect(await s.world.refusal([makeReadonly(s.revoke(s.subscriber, sponsor.address), 3)])).toBe(131);
    await s.world.land([s.revoke(s.subscriber, sponsor.address)]);
    expect(s.world.balance(sponsor.address) - before).toBe(rent('subscription'));
  });

  it('of a plan goes to its owner, not to the payer of the fee', async () => {
    const { s, sponsor, rent } = await createSponsorWorld({ terms: { endTs: START + PERIOD } });
    await createAccount(s, 'plan', sponsor);
    s.world.setTime(PERIOD + 1n);
    const before = s.world.balance(s.merchant.address);
    await s.world.land([s.deletePlan()]);
    expect(s.world.balance(s.merchant.address) - before).toBe(rent('plan'));
  });
});

describe('a sponsor may close a subscription', () => {
  const ending = { terms: { endTs: START + PERIOD } };
  const cases: { when: string; options?: ScenarioOptions; prepare: (s: Scenario) => Promise<void> }[] = [
    {
      when: 'its cancellation has taken effect',
      prepare: async (s) => {
        await s.world.land([await s.cancel()]);
        s.world.setTime(PERIOD);
      },
    },
    { when: 'its plan has ended', options: ending, prepare: async (s) => s.world.setTime(PERIOD + 1n) },
    {
      when: 'its plan is deleted',
      options: ending,
      prepare: async (s) => {
        s.world.setTime(PERIOD + 1n);
        await s.world.land([s.deletePlan()]);
      },
    },
    {
      when: 'its plan was replaced by another one',
      options: ending,
      prepare: async (s) => {
        s.world.setTime(PERIOD + 1n);
        await s.world.land([s.deletePlan()]);
        await s.world.land([s.createPlan({ endTs: 0n })]);
      },
    },
  ];
  it.each(cases)('once $when, and gets the rent without the subscriber', async ({ options, prepare }) => {
    const { s, sponsor, rent } = await createSponsored(options);
    await prepare(s);
    const before = s.world.balance(sponsor.address);
    await s.world.land([s.revoke(sponsor)]);
    expect(s.world.svm.getAccount(s.subscription)).not.toMatchObject({
      programAddress: SUBSCRIPTIONS_PROGRAM_ADDRESS,
    });
    expect(s.world.balance(sponsor.address) - before).toBe(rent('subscription'));
  });

  it('not while anything can be collected', async () => {
    const { s, sponsor } = await createSponsored(ending);
    expect(await s.world.refusal([s.revoke(sponsor)])).toBe(130);
    await s.world.land([await s.cancel()]);
    s.world.setTime(PERIOD - 1n);
    expect(await s.world.refusal([s.revoke(sponsor)])).toBe(130);
  });

  it('not if the plan cannot be read', async () => {
    const { s, sponsor } = await createSponsored();
    s.world.cut(s.plan, 490);
    expect(await s.world.refusal([s.revoke(sponsor)])).toBe(111);
    s.world.cut(s.plan, 491);
    s.world.poke(s.plan, 0, [0]);
    expect(await s.world.refusal([s.revoke(sponsor)])).toBe(117);
  });
});
