import { type Address, address, generateKeyPairSigner } from '@solana/kit';
import { v7 as uuidv7 } from 'uuid';
import { describe, expect, it } from 'vitest';
import { decodePlan } from '../../../src/chain/accounts/accounts.ts';
import { tokenAccountAddress } from '../../../src/chain/accounts/addresses.ts';
import {
  createPlanTransaction,
  sunsetPlanTransaction,
} from '../../../src/chain/transactions/plan-transactions.ts';
import { createPlan } from '../../../src/domain/catalog/plan/create-plan.ts';
import { getPlan } from '../../../src/domain/catalog/plan/get-plan.ts';
import { getPublicPlan } from '../../../src/domain/catalog/plan/public-plan.ts';
import { publishTransaction } from '../../../src/domain/catalog/plan/publish-transaction.ts';
import type { Plan } from '../../../src/generated/prisma/client.ts';
import { sharedByFile } from '../../support/shared-by-file.ts';
import { DAY, HOUR, invalid, PRICE, refusal, startWorld } from '../world.ts';

const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb' as Address;

const world = await sharedByFile(startWorld());
const merchant = await world.newMerchant();

let serial = 0;
const terms = (changes: object = {}) => ({
  planId: `plan-${++serial}`,
  name: 'Pro',
  amount: PRICE,
  intervalSeconds: DAY,
  ...changes,
});
const create = (changes: object = {}) => createPlan(world.ctx, merchant.scope, terms(changes));
const readPlan = (plan: Plan) => getPlan(world.ctx, merchant.scope, plan.planId);
const countWrongTerms = () =>
  world.logged.filter((line) => line.includes('terms of plan on chain differ')).length;

/** Builds a transaction that creates the plan's account with other terms than the draft. */
function createOtherTerms(plan: Plan, changes: object): Promise<string> {
  return createPlanTransaction(world.chain, {
    owner: merchant.wallet.address,
    chainPlanId: plan.chainPlanId,
    mint: address(plan.mint),
    tokenProgram: address(plan.tokenProgram),
    amount: plan.amount,
    periodSeconds: plan.periodSeconds,
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
    expect(await readPlan(plan)).toMatchObject({
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
    [{ maxAmount: PRICE - 1n }, 'maxAmount'],
    [{ maxAmount: -1n }, 'maxAmount'],
    [{ maxAmount: 2n ** 63n }, 'maxAmount'],
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

  it('has a limit above its price, which is the amount on chain', async () => {
    const plan = await world.publishPlan(merchant, { ...terms(), maxAmount: 4n * PRICE });
    expect(plan).toMatchObject({ status: 'ACTIVE', amount: PRICE, maxAmount: 4n * PRICE });
    const account = decodePlan((await world.see(plan.address)).data ?? new Uint8Array());
    expect(account.amount).toBe(4n * PRICE);
    const texts = await getPublicPlan(world.ctx, plan.id);
    expect(texts).toMatchObject({ amount: `${PRICE}`, maxAmount: `${4n * PRICE}` });
    await expect(create({ maxAmount: PRICE - 1n })).rejects.toThrow(
      `maxAmount is ${PRICE - 1n}, and must be from the amount ${PRICE} to`,
    );
  });

  it('has its price as the limit if none is named, also in a row of the release before', async () => {
    expect((await create()).plan.maxAmount).toBe(PRICE);
    const { maxAmount: _, ...row } = (await create()).plan;
    const older = { ...row, id: uuidv7(), planId: uuidv7(), address: uuidv7(), amount: 3n };
    expect((await world.ctx.db.plan.create({ data: older })).maxAmount).toBe(3n);
  });

  it('accepts the smallest and the largest terms', async () => {
    const { plan } = await create({ amount: 2n ** 63n - 1n, intervalSeconds: 8_760 * HOUR });
    expect((await readPlan(plan)).amount).toBe(2n ** 63n - 1n);
    expect((await create({ amount: 1n, intervalSeconds: HOUR })).plan.status).toBe('DRAFT');
  });

  it('refuses an id that was used in this environment, even at the same time', async () => {
    const sameTerms = terms();
    const outcomes = await Promise.allSettled(
      [1, 2].map(() => createPlan(world.ctx, merchant.scope, sameTerms)),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await refusal(createPlan(world.ctx, merchant.scope, sameTerms))).toEqual(invalid('planId'));
    const other = await world.newMerchant();
    expect((await createPlan(world.ctx, other.scope, sameTerms)).plan.planId).toBe(sameTerms.planId);
  });

  it('refuses an address that is not a mint', async () => {
    const { address: nothing } = await generateKeyPairSigner();
    expect(await refusal(create({ mint: nothing }))).toEqual(invalid('mint'));
    expect(await refusal(create({ mint: merchant.wallet.address }))).toEqual(invalid('mint'));
  });

  const [authority, noAddress] = [new Uint8Array(32).fill(9), new Uint8Array(32)];
  /** A transfer fee, in basis points: now and from a later epoch. */
  const fee = (current: number, later: number) => {
    const value = Buffer.alloc(108);
    value.writeUInt16LE(current, 88);
    value.writeUInt16LE(later, 106);
    return value;
  };
  it.each<[string, 'refused' | 'accepted', number, Uint8Array]>([
    ['a transfer fee', 'refused', 1, fee(1, 1)],
    ['a transfer fee from a later epoch', 'refused', 1, fee(0, 256)],
    ['a transfer fee until a later epoch', 'refused', 1, fee(100, 0)],
    ['a transfer fee of zero', 'accepted', 1, fee(0, 0)],
    ['an unreadable transfer fee', 'refused', 1, fee(0, 0).subarray(1)],
    ['a mint close authority', 'accepted', 3, authority],
    ['confidential transfers', 'accepted', 4, new Uint8Array(65)],
    ['accounts that are created thawed', 'accepted', 6, Uint8Array.of(1)],
    ['accounts that are created frozen', 'refused', 6, Uint8Array.of(2)],
    ['tokens that cannot be transferred', 'refused', 9, new Uint8Array()],
    ['interest', 'refused', 10, new Uint8Array(52)],
    ['a permanent delegate', 'accepted', 12, authority],
    ['a transfer hook with a program', 'refused', 14, Buffer.concat([noAddress, authority])],
    ['a transfer hook without a program', 'accepted', 14, Buffer.concat([authority, noAddress])],
    ['an unreadable transfer hook', 'refused', 14, new Uint8Array(4)],
    ['a metadata pointer', 'accepted', 18, new Uint8Array(64)],
    ['confidential minting', 'refused', 24, new Uint8Array(196)],
    ['scaled amounts', 'refused', 25, new Uint8Array(56)],
    ['a pause', 'accepted', 26, new Uint8Array(33)],
    ['an unknown extension', 'refused', 28, new Uint8Array(32)],
    ['4,096 bytes', 'accepted', 19, new Uint8Array(3_918)],
    ['4,097 bytes', 'refused', 19, new Uint8Array(3_919)],
  ])('accepts or refuses a Token-2022 mint with %s: %s', async (_, verdict, extension, value) => {
    const { address: mint } = await generateKeyPairSigner();
    world.writeAccount(mint, {
      lamports: 10_000_000n,
      owner: TOKEN_2022,
      data: encodeMint([19, new Uint8Array(4)], [extension, value]),
    });
    if (verdict === 'accepted') {
      expect((await create({ mint })).plan.tokenProgram).toBe(TOKEN_2022);
      return;
    }
    expect(await refusal(create({ mint }))).toEqual(invalid('mint'));
    // The message names the extension by its number; metadata is refused for its length.
    if (extension !== 19) await expect(create({ mint })).rejects.toThrow(`extension ${extension}`);
  });

  it('accepts interest of a token that the operator lists', async () => {
    const { address: mint } = await generateKeyPairSigner();
    world.writeAccount(mint, {
      lamports: 10_000_000n,
      owner: TOKEN_2022,
      data: encodeMint([10, new Uint8Array(52)]),
    });
    Object.assign(world.chain.config, { assets: [{ mint, symbol: 'INT', name: 'Interest' }] });
    try {
      expect((await create({ mint })).plan.tokenProgram).toBe(TOKEN_2022);
    } finally {
      Object.assign(world.chain.config, { assets: undefined });
    }
  });

  it.each([
    ['thawed', 1, 'accepted'],
    ['frozen', 2, 'refused'],
  ])(
    'with accounts that are created frozen and a merchant’s account that is %s is %s',
    async (_, state, verdict) => {
      const { address: mint } = await generateKeyPairSigner();
      const owner = TOKEN_2022;
      world.writeAccount(mint, { lamports: 10_000_000n, owner, data: encodeMint([6, Uint8Array.of(2)]) });
      const receiver = await tokenAccountAddress(merchant.wallet.address, mint, TOKEN_2022);
      const data = new Uint8Array(170);
      data[108] = state;
      data[165] = 2; // a token account
      world.writeAccount(receiver, { lamports: 10_000_000n, owner, data });
      if (verdict === 'refused') expect(await refusal(create({ mint }))).toEqual(invalid('mint'));
      else expect((await create({ mint })).plan.tokenProgram).toBe(TOKEN_2022);
    },
  );
});

describe('creating a plan for a wallet that cannot be paid', () => {
  it.each([
    ['requires a memo with every transfer', 8, Uint8Array.of(1)],
    ['accepts only confidential transfers', 5, new Uint8Array(295)],
  ])('refuses a token account that %s', async (_, extension, value) => {
    const { address: mint } = await generateKeyPairSigner();
    const receiver = await tokenAccountAddress(merchant.wallet.address, mint, TOKEN_2022);
    const [plain, strict] = [encodeMint(), encodeMint([extension, value]).fill(2, 165, 166)];
    for (const [target, data] of [
      [mint, plain],
      [receiver, strict],
    ] as const) {
      world.network.setAccount(target, { lamports: 10_000_000n, owner: TOKEN_2022, data, executable: false });
    }
    world.network.tick();
    expect(await refusal(create({ mint }))).toEqual(invalid('mint'));
  });

  it('refuses a native multisig, and the message names it', async () => {
    const other = await world.newMerchant();
    world.writeAccount(other.wallet.address, {
      lamports: 10_000_000n,
      owner: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA' as Address,
      data: new Uint8Array(355),
    });
    await expect(createPlan(world.ctx, other.scope, terms())).rejects.toThrow('multisig');
  });
});

describe('publishing', () => {
  it('can be repeated with a fresh transaction after the first one has expired', async () => {
    const { plan, transaction } = await create();
    for (let block = 0; block < 200; block++) world.network.tick();
    await expect(world.sign(merchant.wallet, transaction)).rejects.toThrow();
    const again = await publishTransaction(world.ctx, merchant.scope, plan.planId);
    await world.sign(merchant.wallet, again.transaction);
    await world.mirror(plan.address);
    expect((await readPlan(plan)).status).toBe('ACTIVE');
    const publish = (planId: string) => refusal(publishTransaction(world.ctx, merchant.scope, planId));
    expect(await publish(plan.planId)).toEqual(invalid('planId'));
    expect(await publish('unknown')).toEqual({ code: 'not_found', param: 'planId' });
    expect(await publish('\0')).toEqual({ code: 'not_found', param: 'planId' });
  });

  it.each([
    ['maxAmount', { amount: PRICE + 1n }],
    ['interval', { periodSeconds: 2 * DAY }],
  ])('with another %s leaves the plan a draft, and logs the difference', async (field, changes) => {
    const { plan } = await create();
    await world.sign(merchant.wallet, await createOtherTerms(plan, changes));
    const before = countWrongTerms();
    await world.mirror(plan.address);
    expect(await readPlan(plan)).toMatchObject({ status: 'DRAFT', chainCreatedAt: null });
    expect(countWrongTerms()).toBe(before + 1);
    expect(world.logged.at(-1)).toContain(field);
  });

  it('without the collector of dues leaves the plan a draft', async () => {
    const { plan } = await create();
    const chain = { ...world.chain, collector: merchant.wallet };
    const { transaction } = await publishTransaction(
      { ...world.ctx, chain: { TEST: chain } },
      merchant.scope,
      plan.planId,
    );
    await world.sign(merchant.wallet, transaction);
    await world.mirror(plan.address);
    expect((await readPlan(plan)).status).toBe('DRAFT');
  });

  it('observed again changes nothing', async () => {
    const plan = await world.publishPlan(merchant, terms());
    await world.travel(HOUR);
    await world.mirror(plan.address);
    expect(await readPlan(plan)).toEqual(plan);
  });
});

describe('a published plan', () => {
  it('accepts no new subscribers after it was sunset', async () => {
    const plan = await world.publishPlan(merchant, terms());
    const endsAt = BigInt(world.network.unixSeconds() + 10 * DAY);
    const { address: owner } = merchant.wallet;
    const sunset = await sunsetPlanTransaction(world.chain, { owner, plan: address(plan.address), endsAt });
    await world.sign(merchant.wallet, sunset);
    await world.mirror(plan.address);
    expect(await readPlan(plan)).toMatchObject({
      status: 'INACTIVE',
      endsAt: new Date(Number(endsAt) * 1000),
      publishedAt: plan.publishedAt,
    });
  });

  it('accepts no new subscribers after its account was closed', async () => {
    const plan = await world.publishPlan(merchant, terms());
    world.fund(address(plan.address), 0n);
    await world.mirror(plan.address);
    expect((await readPlan(plan)).status).toBe('INACTIVE');
  });
});

/** Encodes a Token-2022 mint with extensions, each of a type and a value. */
function encodeMint(...extensions: [number, Uint8Array][]): Uint8Array {
  const base = Buffer.alloc(166);
  base[44] = 6; // decimals
  base[45] = 1; // initialized
  base[165] = 1; // a mint
  const lists = extensions.flatMap(([type, value]) => [
    Buffer.from(Uint16Array.of(type, value.length).buffer),
    value,
  ]);
  return new Uint8Array(Buffer.concat([base, ...lists]));
}
