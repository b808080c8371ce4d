import { type Address, address, generateKeyPairSigner } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodePlan } from '../../../src/chain/accounts.ts';
import { tokenAccountAddress } from '../../../src/chain/addresses.ts';
import { createPlanTransaction, sunsetPlanTransaction } from '../../../src/chain/plan-transactions.ts';
import { createPlan } from '../../../src/domain/plan/create-plan.ts';
import { getPlan } from '../../../src/domain/plan/get-plan.ts';
import { listPlans } from '../../../src/domain/plan/list-plans.ts';
import { getPublicPlan } from '../../../src/domain/plan/public-plan.ts';
import { publishTransaction } from '../../../src/domain/plan/publish-transaction.ts';
import type { Plan } from '../../../src/generated/prisma/client.ts';
import { DAY, HOUR, invalid, PRICE, refusal, startWorld, type TestMerchant, type World } from '../world.ts';

const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb' as Address;

let world: World;
let merchant: TestMerchant;
beforeAll(async () => {
  world = await startWorld();
  merchant = await world.newMerchant();
});
afterAll(() => world.close());

let serial = 0;
const terms = (changes: object = {}) => ({
  planId: `plan-${++serial}`,
  name: 'Pro',
  amount: PRICE,
  intervalSeconds: DAY,
  ...changes,
});
const create = (changes: object = {}) => createPlan(world.ctx, merchant.scope, terms(changes));
const now = (plan: Plan) => getPlan(world.ctx, merchant.scope, plan.planId);
const wrongTerms = () => world.logged.filter((line) => line.includes('other terms')).length;

/** The transaction that makes the plan's account otherwise than drafted. */
function otherwise(plan: Plan, changes: object): Promise<string> {
  return createPlanTransaction(world.chain, {
    owner: merchant.wallet.address,
    chainPlanId: plan.chainPlanId,
    mint: address(plan.mint),
    tokenProgram: address(plan.tokenProgram),
    amount: plan.amount,
    intervalSeconds: plan.intervalSeconds,
    endsAt: null,
    metadataUri: '',
    ...changes,
  });
}

describe('creating a plan', () => {
  it('stores a draft that the merchant’s wallet publishes', async () => {
    const { plan, transaction } = await create({ trialPeriodSeconds: 7 * DAY, description: 'All of it' });
    expect(plan).toMatchObject({ status: 'DRAFT', chainCreatedAt: null, publishedAt: null });
    expect(plan.chainPlanId > 0n && plan.chainPlanId < 2n ** 63n).toBe(true);
    await world.sign(merchant.wallet, transaction);
    await world.mirror(plan.address);
    expect(await now(plan)).toMatchObject({
      status: 'ACTIVE',
      endsAt: null,
      publishedAt: world.ctx.clock.now(),
      chainCreatedAt: BigInt(world.network.unixSeconds()),
    });
    const account = decodePlan((await world.see(plan.address)).data ?? new Uint8Array());
    expect(account.metadataUri).toBe(`https://dues.example/plans/${plan.id}.json`);
    expect(await getPublicPlan(world.ctx, plan.id)).toMatchObject({ name: 'Pro', description: 'All of it' });
    expect(await refusal(getPublicPlan(world.ctx, 'x'))).toMatchObject({ code: 'not_found' });
  });

  it.each([
    [{ amount: 0n }, 'amount'],
    [{ amount: -1n }, 'amount'],
    [{ amount: 2n ** 63n }, 'amount'],
    [{ intervalSeconds: 0 }, 'interval'],
    [{ intervalSeconds: 5_400 }, 'interval'],
    [{ intervalSeconds: 8_761 * HOUR }, 'interval'],
    [{ intervalSeconds: Number.NaN }, 'interval'],
    [{ trialPeriodSeconds: -1 }, 'trialPeriodSeconds'],
    [{ trialPeriodSeconds: 0.5 }, 'trialPeriodSeconds'],
    [{ trialPeriodSeconds: DAY - 60 }, 'trialPeriodSeconds'],
    [{ planId: '' }, 'planId'],
    [{ name: '\ud800' }, 'name'],
    [{ description: 'x'.repeat(2_001) }, 'description'],
    [{ mint: 'gold' }, 'mint'],
  ])('refuses %o', async (changes, param) => {
    expect(await refusal(create(changes))).toEqual(invalid(param));
  });

  it('takes the smallest and the largest terms', async () => {
    const { plan } = await create({ amount: 2n ** 63n - 1n, intervalSeconds: 8_760 * HOUR });
    expect((await now(plan)).amount).toBe(2n ** 63n - 1n);
    expect((await create({ amount: 1n, intervalSeconds: HOUR })).plan.status).toBe('DRAFT');
  });

  it('refuses an id that the merchant has used in this environment, also by two at once', async () => {
    const twice = terms();
    const made = await Promise.allSettled(
      [twice, twice].map((each) => createPlan(world.ctx, merchant.scope, each)),
    );
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await refusal(createPlan(world.ctx, merchant.scope, twice))).toEqual(invalid('planId'));
    const other = await world.newMerchant();
    expect((await createPlan(world.ctx, other.scope, twice)).plan.planId).toBe(twice.planId);
  });

  it('refuses what is no mint', async () => {
    const { address: nothing } = await generateKeyPairSigner();
    expect(await refusal(create({ mint: nothing }))).toEqual(invalid('mint'));
    expect(await refusal(create({ mint: merchant.wallet.address }))).toEqual(invalid('mint'));
  });

  it.each([
    [1, 'a transfer fee', true],
    [9, 'tokens that cannot be transferred', true],
    [12, 'a permanent delegate', true],
    [14, 'a transfer hook', true],
    [26, 'a pause', true],
    [18, 'a metadata pointer', false],
  ])('looks at extension %d of a Token-2022 mint, %s', async (extension, _, refused) => {
    const { address: mint } = await generateKeyPairSigner();
    world.network.setAccount(mint, {
      lamports: 10_000_000n,
      owner: TOKEN_2022,
      data: mintWith(19, extension),
      executable: false,
    });
    world.network.tick();
    if (refused) expect(await refusal(create({ mint }))).toEqual(invalid('mint'));
    else expect((await create({ mint })).plan.tokenProgram).toBe(TOKEN_2022);
  });
});

describe('creating a plan for a wallet that cannot be paid', () => {
  it('refuses a token account that wants a memo with every transfer', async () => {
    const { address: mint } = await generateKeyPairSigner();
    const receiver = await tokenAccountAddress(merchant.wallet.address, mint, TOKEN_2022);
    const [plain, strict] = [mintWith(19), mintWith(8).fill(2, 165, 166)];
    for (const [at, data] of [
      [mint, plain],
      [receiver, strict],
    ] as const) {
      world.network.setAccount(at, { lamports: 10_000_000n, owner: TOKEN_2022, data, executable: false });
    }
    world.network.tick();
    expect(await refusal(create({ mint }))).toEqual(invalid('mint'));
  });

  it('refuses a native multisig, in a message that says so', async () => {
    const other = await world.newMerchant();
    world.network.setAccount(other.wallet.address, {
      lamports: 10_000_000n,
      owner: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA' as Address,
      data: new Uint8Array(355),
      executable: false,
    });
    world.network.tick();
    await expect(createPlan(world.ctx, other.scope, terms())).rejects.toThrow('multisig');
  });
});

describe('publishing', () => {
  it('can be tried again with a fresh transaction after the first one has died', async () => {
    const { plan, transaction } = await create();
    for (let block = 0; block < 200; block++) world.network.tick();
    await expect(world.sign(merchant.wallet, transaction)).rejects.toThrow();
    const again = await publishTransaction(world.ctx, merchant.scope, plan.planId);
    await world.sign(merchant.wallet, again.transaction);
    await world.mirror(plan.address);
    expect((await now(plan)).status).toBe('ACTIVE');
    const publish = (planId: string) => refusal(publishTransaction(world.ctx, merchant.scope, planId));
    expect(await publish(plan.planId)).toEqual(invalid('planId'));
    expect(await publish('unknown')).toEqual({ code: 'not_found', param: 'planId' });
    expect(await publish('\0')).toEqual({ code: 'not_found', param: 'planId' });
  });

  it.each([
    ['amount', { amount: PRICE + 1n }],
    ['interval', { intervalSeconds: 2 * DAY }],
  ])('with another %s leaves it a draft and says so', async (what, changes) => {
    const { plan } = await create();
    await world.sign(merchant.wallet, await otherwise(plan, changes));
    const warned = wrongTerms();
    await world.mirror(plan.address);
    expect(await now(plan)).toMatchObject({ status: 'DRAFT', chainCreatedAt: null });
    expect(wrongTerms()).toBe(warned + 1);
    expect(world.logged.at(-1)).toContain(what);
  });

  it('without our collector leaves it a draft', async () => {
    const { plan } = await create();
    const chain = { ...world.chain, collector: merchant.wallet };
    const { transaction } = await publishTransaction(
      { ...world.ctx, chain: { TEST: chain } },
      merchant.scope,
      plan.planId,
    );
    await world.sign(merchant.wallet, transaction);
    await world.mirror(plan.address);
    expect((await now(plan)).status).toBe('DRAFT');
  });

  it('seen again changes nothing', async () => {
    const plan = await world.publishPlan(merchant, terms());
    await world.travel(HOUR);
    await world.mirror(plan.address);
    expect(await now(plan)).toEqual(plan);
  });
});

describe('a published plan', () => {
  it('takes no new subscribers once sunset', async () => {
    const plan = await world.publishPlan(merchant, terms());
    const endsAt = BigInt(world.network.unixSeconds() + 10 * DAY);
    const { address: owner } = merchant.wallet;
    const sunset = await sunsetPlanTransaction(world.chain, { owner, plan: address(plan.address), endsAt });
    await world.sign(merchant.wallet, sunset);
    await world.mirror(plan.address);
    expect(await now(plan)).toMatchObject({
      status: 'INACTIVE',
      endsAt: new Date(Number(endsAt) * 1000),
      publishedAt: plan.publishedAt,
    });
  });

  it('takes no new subscribers once its account is gone', async () => {
    const plan = await world.publishPlan(merchant, terms());
    world.network.setAccount(address(plan.address), {
      lamports: 0n,
      owner: '11111111111111111111111111111111' as Address,
      data: new Uint8Array(),
      executable: false,
    });
    world.network.tick();
    await world.mirror(plan.address);
    expect((await now(plan)).status).toBe('INACTIVE');
  });
});

it('lists a merchant’s plans newest first, and nobody else’s', async () => {
  const own = await world.newMerchant();
  const scope = own.scope;
  for (const planId of ['a', 'b', 'c']) {
    await createPlan(world.ctx, scope, { ...terms(), planId });
    await world.travel(1);
  }
  const first = await listPlans(world.ctx, scope, { limit: 2 });
  expect(first.data.map(({ planId }) => planId)).toEqual(['c', 'b']);
  expect(first.pagination).toEqual({ page: 1, limit: 2, total: 3, pages: 2 });
  expect((await listPlans(world.ctx, scope, { status: 'ACTIVE' })).data).toEqual([]);
  expect((await listPlans(world.ctx, { ...scope, environment: 'LIVE' })).data).toEqual([]);
});

/** A Token-2022 mint with these extensions, each of four bytes. */
function mintWith(...extensions: number[]): Uint8Array {
  const data = new Uint8Array(166 + extensions.length * 8);
  const view = new DataView(data.buffer);
  data[44] = 6; // decimals
  data[45] = 1; // initialized
  data[165] = 1; // a mint
  for (const [place, extension] of extensions.entries()) {
    view.setUint16(166 + place * 8, extension, true);
    view.setUint16(166 + place * 8 + 2, 4, true);
  }
  return data;
}
