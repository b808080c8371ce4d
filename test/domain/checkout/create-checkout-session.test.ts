import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { createPlan } from '../../../src/domain/catalog/plan/create-plan.ts';
import { completeCheckout } from '../../../src/domain/checkout/completion/complete-checkout.ts';
import { createCheckoutSession } from '../../../src/domain/checkout/session/create-checkout-session.ts';
import { expireSessions } from '../../../src/domain/checkout/session/expire-sessions.ts';
import {
  getCheckoutSession,
  getPublicSession,
} from '../../../src/domain/checkout/session/get-checkout-session.ts';
import type { CheckoutRequest } from '../../../src/domain/checkout/session/session-request.ts';
import type { Plan } from '../../../src/generated/prisma/client.ts';
import { sharedByFile } from '../../support/shared-by-file.ts';
import { DAY, HOUR, invalid, PRICE, refusal, startWorld, type TestMerchant } from '../world.ts';

const TTL_SECONDS = 30 * 60;

let merchant: TestMerchant;
let plan: Plan;
const world = await sharedByFile(startWorld());
// Each test has its own merchant, so that idempotency keys do not clash.
beforeEach(async () => {
  merchant = await world.newMerchant();
  plan = await world.publishPlan(merchant);
});

const create = (changes: Partial<CheckoutRequest> = {}) =>
  createCheckoutSession(world.ctx, merchant.scope, {
    planId: 'pro',
    customerEmail: 'ada@example.com',
    ...changes,
  });
const createId = async (changes: Partial<CheckoutRequest> = {}) => (await create(changes)).sessionId;
const countSessions = () =>
  world.db.checkoutSession.count({ where: { merchantId: merchant.scope.merchantId } });

describe('creating a session', () => {
  it('returns an unguessable id, the URL of the page, and the end of its 30 minutes', async () => {
    const now = world.ctx.clock.now();
    const session = await create({ metadata: { campaign: 'winter' }, customerId: '42' });
    expect(session.sessionId).toMatch(/^cs_[\w-]{43}$/);
    expect(session.url).toBe(`https://dues.example/checkout/${session.sessionId}`);
    expect(session.expiresAt).toEqual(new Date(now.getTime() + TTL_SECONDS * 1000));
    expect(await getCheckoutSession(world.ctx, merchant.scope, session.sessionId)).toMatchObject({
      status: 'OPEN',
      customerEmail: 'ada@example.com',
      customerId: '42',
      metadata: { campaign: 'winter' },
      plan: { name: 'Pro' },
    });
  });

  it('refuses a plan that does not exist, is a draft, or belongs to another merchant', async () => {
    const { plan: draft } = await createPlan(world.ctx, merchant.scope, {
      planId: 'draft',
      name: 'Draft',
      amount: PRICE,
      intervalSeconds: HOUR,
    });
    const other = await world.newMerchant();
    await world.publishPlan(other, { planId: 'theirs' });
    for (const planId of ['unknown', draft.planId, 'theirs', '', '\0']) {
      expect(await refusal(create({ planId }))).toEqual(invalid('planId'));
    }
    await world.db.plan.update({ where: { id: plan.id }, data: { status: 'INACTIVE' } });
    expect(await refusal(create())).toEqual(invalid('planId'));
  });

  it('refuses an id of a plan that no database can have, also beside a discount', async () => {
    const discountId = '0190d6e6-2f4b-7000-8000-000000000000';
    for (const planId of ['pro\u0000', '\ud800']) {
      expect(await refusal(create({ planId }))).toEqual(invalid('planId'));
      expect(await refusal(create({ planId, discountId }))).toEqual(invalid('discountId'));
    }
  });

  it('refuses a plan whose end has passed but is not recorded yet', async () => {
    const endsAt = new Date(world.ctx.clock.now().getTime() + HOUR * 1000);
    await world.db.plan.update({ where: { id: plan.id }, data: { endsAt } });
    await create();
    await world.travel(HOUR);
    expect(await refusal(create())).toEqual(invalid('planId'));
  });

  const nested = (depth: number): unknown => (depth === 0 ? 1 : { deeper: nested(depth - 1) });
  it.each<[string, Partial<CheckoutRequest>]>([
    ['merchantWallet', { merchantWallet: 'nobody' }],
    ['merchantWallet', { merchantWallet: '11111111111111111111111111111111' }],
    ['customerEmail', { customerEmail: 'ada' }],
    ['customerEmail', { customerEmail: `${'a'.repeat(255)}@example.com` }],
    ['customerId', { customerId: '' }],
    ['customerId', { customerId: 'a\0' }],
    ['successUrl', { successUrl: 'javascript:alert(1)' }],
    ['successUrl', { successUrl: '/welcome' }],
    ['cancelUrl', { cancelUrl: `https://example.com/${'x'.repeat(2_048)}` }],
    ['metadata', { metadata: [] }],
    ['metadata', { metadata: 'text' }],
    ['metadata', { metadata: { deep: nested(17) } }],
    ['metadata', { metadata: { large: 'x'.repeat(8_192) } }],
    ['metadata', { metadata: { nul: '\0' } }],
    ['metadata', { metadata: { '\ud800': 1 } }],
    ['metadata', { metadata: { nan: Number.NaN } }],
    ['metadata', { metadata: { undefined } }],
    ['idempotency_key', { idempotencyKey: '' }],
    ['idempotency_key', { idempotencyKey: 'x'.repeat(256) }],
  ])('refuses a wrong %s: %o', async (param, changes) => {
    expect(await refusal(create(changes))).toEqual(invalid(param));
    expect(await countSessions()).toBe(0);
  });

  it('accepts the merchant’s own wallet', async () => {
    expect(await createId({ merchantWallet: merchant.wallet.address })).toMatch(/^cs_/);
  });
});

describe('the same request again', () => {
  it('returns the same session until it expires', async () => {
    for (const idempotencyKey of ['order-1', undefined]) {
      const first = await create({ idempotencyKey });
      await world.travel(TTL_SECONDS - 1);
      expect(await create({ idempotencyKey })).toEqual({ ...first, opened: undefined });
      await world.travel(1);
      const next = await create({ idempotencyKey });
      expect(next.sessionId).not.toBe(first.sessionId);
      expect(await create({ idempotencyKey })).toEqual({ ...next, opened: undefined });
    }
  });

  it('with the same key and other content is refused', async () => {
    const first = await createId({ idempotencyKey: 'order-1' });
    const other = { idempotencyKey: 'order-1', customerEmail: 'bob@example.com' };
    expect(await refusal(create(other))).toEqual(invalid('idempotency_key'));
    expect(await createId({ idempotencyKey: 'order-1' })).toBe(first);
    await world.travel(TTL_SECONDS);
    expect(await createId(other)).not.toBe(first);
  });

  it('opens another session for another merchant', async () => {
    const first = await createId({ idempotencyKey: 'order-1' });
    merchant = await world.newMerchant();
    plan = await world.publishPlan(merchant);
    expect(await createId({ idempotencyKey: 'order-1' })).not.toBe(first);
  });

  it('opens a new session after the first is completed only if it has no key', async () => {
    for (const [idempotencyKey, isSame] of [
      [undefined, false],
      ['order-1', true],
    ] as const) {
      const wallet = await world.newWallet();
      const first = await createId({ idempotencyKey });
      await completeCheckout(world.ctx, first, await world.approve(first, plan, wallet));
      expect((await createId({ idempotencyKey })) === first).toBe(isSame);
    }
  });

  it('opens one session when it is sent many times at once after the first has expired', async () => {
    const first = await createId();
    await world.travel(TTL_SECONDS);
    const ids = await Promise.all(Array.from({ length: 12 }, () => createId()));
    expect(new Set(ids).size).toBe(1);
    expect(ids).not.toContain(first);
  });

  it('is the same with its fields in any order, and differs if any value differs', async () => {
    // NUL and the key `__proto__` are refused.
    const isAccepted = (value: unknown) => !/\\u|"__proto__"/.test(JSON.stringify(value));
    const json = fc.jsonValue({ maxDepth: 3 }).filter(isAccepted);
    const key = fc.string({ maxLength: 5 }).filter(isAccepted);
    const metadata = fc.uniqueArray(fc.tuple(key, json), {
      minLength: 1,
      maxLength: 4,
      selector: ([name]) => name,
    });
    const objectOf = (pairs: readonly (readonly [string, unknown])[]) =>
      JSON.parse(
        `{${pairs.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join()}}`,
      );
    await fc.assert(
      fc.asyncProperty(metadata, fc.nat(), json, async (first, at, other) => {
        const id = await createId({ metadata: objectOf(first) });
        expect(await createId({ metadata: objectOf([...first].reverse()) })).toBe(id);
        const changed = first.map(([name, value], index): (typeof first)[number] => [
          name,
          index === at % first.length ? other : value,
        ]);
        if (!isDeepStrictEqual(objectOf(changed), objectOf(first))) {
          expect(await createId({ metadata: objectOf(changed) })).not.toBe(id);
        }
        const { metadata: stored } = await getCheckoutSession(world.ctx, merchant.scope, id);
        expect(JSON.parse(JSON.stringify(stored))).toEqual(objectOf(first));
      }),
      { numRuns: 40 },
    );
  });

  it('behaves like a simple model, with any mix of requests, keys and times', async () => {
    const step = fc.record({
      key: fc.constantFrom(undefined, 'a', 'b'),
      email: fc.constantFrom('ada@example.com', 'bob@example.com'),
      waitSeconds: fc.constantFrom(0, 0, 600, TTL_SECONDS),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        merchant = await world.newMerchant();
        plan = await world.publishPlan(merchant);
        const sessions = new Map<string, { email: string; id: string; until: number }>();
        for (const { key, email, waitSeconds } of steps) {
          await world.travel(waitSeconds);
          const now = world.ctx.clock.now().getTime();
          const name = key ?? `without ${email}`;
          const known = sessions.get(name);
          const request = { idempotencyKey: key, customerEmail: email };
          if (known && known.until > now && known.email !== email) {
            expect(await refusal(create(request))).toEqual(invalid('idempotency_key'));
            continue;
          }
          const { sessionId: id, expiresAt } = await create(request);
          if (known && known.until > now) expect(id).toBe(known.id);
          else expect([...sessions.values()].map((session) => session.id)).not.toContain(id);
          sessions.set(name, { email, id, until: expiresAt.getTime() });
        }
      }),
      { numRuns: 15 },
    );
  });
});

describe('reading a session', () => {
  it('returns the page’s fields to anyone, and all to the merchant', async () => {
    const id = await createId({ cancelUrl: 'https://shop.example/', metadata: { secret: true } });
    expect(await getPublicSession(world.ctx, id)).toEqual({
      sessionId: id,
      environment: 'TEST',
      status: 'OPEN',
      expiresAt: expect.any(Date),
      merchant: { companyName: 'Acme', logoUrl: null, supportEmail: null },
      brandColor: null,
      plan: {
        planId: 'pro',
        name: 'Pro',
        description: null,
        amount: PRICE,
        maxAmount: PRICE,
        intervalSeconds: DAY,
        trialPeriodSeconds: 0,
        mint: plan.mint,
        tokenProgram: plan.tokenProgram,
      },
      planTrialSeconds: 0,
      customerEmail: 'ada@example.com',
      cancelUrl: 'https://shop.example/',
      redirectUrl: null,
      subscriptionId: null,
      walletConnected: false,
      isSettling: false,
      allowsCodes: false,
      discount: null,
    });
    const notFound = { code: 'not_found', param: 'sessionId' };
    const other = await world.newMerchant();
    const { scope } = merchant;
    expect(await refusal(getCheckoutSession(world.ctx, other.scope, id))).toEqual(notFound);
    expect(await refusal(getCheckoutSession(world.ctx, { ...scope, environment: 'LIVE' }, id))).toEqual(
      notFound,
    );
    expect(await refusal(getPublicSession(world.ctx, 'cs_unknown'))).toEqual(notFound);
    expect(await refusal(getPublicSession(world.ctx, 'cs_\0'))).toEqual(notFound);
  });

  it('returns EXPIRED as soon as its time is over, and a job publishes that', async () => {
    const id = await createId({ idempotencyKey: 'order-1' });
    await world.travel(TTL_SECONDS);
    expect((await getPublicSession(world.ctx, id)).status).toBe('EXPIRED');
    const page = world.ctx.live.subscribe('checkout-session.updated', { sessionId: id });
    await expireSessions(world.ctx);
    expect((await page.next()).value).toEqual({ sessionId: id });
    await page.return();
    expect((await world.db.checkoutSession.findUniqueOrThrow({ where: { id } })).status).toBe('EXPIRED');
    expect(await world.db.idempotencyKey.count({ where: { sessionId: id } })).toBe(0);
  });
});
