/** Mistakes of a first integration, and the errors with which the API answers. */
import { expect, it } from 'vitest';
import { createPlan } from '../../src/domain/catalog/plan/create-plan.ts';
import { DAY, PRICE } from '../domain/world.ts';
import { sharedByFile } from '../support/shared-by-file.ts';
import { startApiWorld } from './world.ts';

const world = await sharedByFile(startApiWorld());
const merchant = await world.newKeyedMerchant();
await world.publishPlan(merchant);

const order = { planId: 'pro', customerEmail: 'ada@example.com' };

async function errorOf(body: unknown, headers: Record<string, string> = {}) {
  const answer = await world.request('POST', '/checkout/create', { key: merchant.testKey, body, headers });
  return { status: answer.status, ...answer.body.error };
}

it('all missing fields are named at once, the first one as param', async () => {
  expect(await errorOf({})).toEqual({
    status: 400,
    code: 'invalid_request',
    param: 'planId',
    message: 'planId is required. customerEmail is required.',
  });
});

it('distinguishes a value of another type from a missing one', async () => {
  expect(await errorOf({ ...order, planId: 7, customerId: [], metadata: 'x' })).toMatchObject({
    param: 'planId',
    message:
      'planId must be of the type string. customerId must be of the type string. metadata must be a JSON object.',
  });
});

it.each(['[1]', 'null', '"text"', '7'])('a body of %s is not a JSON object', async (body) => {
  expect(await errorOf(body)).toMatchObject({
    param: 'body',
    message: 'The body must be a JSON object.',
  });
});

it('an unknown field is refused by its name, with the known ones', async () => {
  expect(await errorOf({ ...order, succesUrl: 'https://shop.example/' })).toMatchObject({
    status: 400,
    code: 'invalid_request',
    param: 'succesUrl',
    message: expect.stringMatching(/^succesUrl is unknown; use only planId, .*successUrl, /),
  });
  expect(await errorOf({ ...order, idempotencyKey: 'order-1' })).toMatchObject({
    param: 'idempotencyKey',
    message: expect.stringContaining('idempotency_key'),
  });
  const listed = await world.request('GET', '/api/subscriptions?status=active&foo=1', {
    key: merchant.testKey,
  });
  expect(listed.body.error).toEqual({
    code: 'invalid_request',
    param: 'status',
    message: "status and foo are unknown; use only page and limit; GraphQL's `subscriptions` takes a filter.",
  });
});

it('lists only some of a thousand unknown fields', async () => {
  const names = Array.from({ length: 1000 }, (_, index) => [`${index}${'x'.repeat(50)}`, 1]);
  const { message, param } = await errorOf({ ...order, ...Object.fromEntries(names) });
  expect(message.length).toBeLessThan(3_000);
  expect(param).toMatch(/^0x+$/);
});

it('names the allowed values for a value outside a list', async () => {
  const { body } = await world.request('POST', '/api/subscriptions/x/transaction', {
    body: { action: 'pause' },
  });
  expect(body.error).toMatchObject({
    param: 'action',
    message: 'action must be one of cancel, resume, repair_approval, close.',
  });
});

it('the Idempotency-Key header is the same as idempotency_key', async () => {
  const create = async (body: object, headers = {}) => {
    const answer = await world.request('POST', '/checkout/create', { key: merchant.testKey, body, headers });
    expect(answer.status).toBe(200);
    return answer.body.sessionId;
  };
  const inBody = await create({ ...order, idempotency_key: 'order-1' });
  expect(await create(order, { 'idempotency-key': 'order-1' })).toBe(inBody);
  expect(await create(order, { 'idempotency-key': '"order-1"' })).toBe(inBody);
  expect(await create({ ...order, idempotency_key: 'order-1' }, { 'idempotency-key': 'order-1' })).toBe(
    inBody,
  );
  expect(await create(order, { 'idempotency-key': 'order-2' })).not.toBe(inBody);
});

it('an Idempotency-Key that differs from idempotency_key is refused', async () => {
  const wrong = { status: 400, code: 'invalid_request', param: 'Idempotency-Key' };
  expect(await errorOf({ ...order, idempotency_key: 'a' }, { 'idempotency-key': 'b' })).toMatchObject(wrong);
  expect(await errorOf(order, { 'idempotency-key': 'x'.repeat(300) })).toMatchObject(wrong);
  const other = { ...order, customerEmail: 'other@example.com' };
  await world.request('POST', '/checkout/create', {
    key: merchant.testKey,
    body: order,
    headers: { 'idempotency-key': 'once' },
  });
  expect(await errorOf(other, { 'idempotency-key': 'once' })).toMatchObject({
    ...wrong,
    message: expect.stringMatching(/^Idempotency-Key was used/),
  });
});

it('the error of a plan that cannot be subscribed to gives the reason', async () => {
  await createPlan(world.ctx, merchant.scope, {
    planId: 'draft',
    name: 'Draft',
    amount: PRICE,
    intervalSeconds: DAY,
  });
  const ended = await world.publishPlan(merchant, { planId: 'ended' });
  await world.db.plan.update({ where: { id: ended.id }, data: { endsAt: world.ctx.clock.now() } });
  const reasonOf = async (planId: string) => {
    const { code, param, message } = await errorOf({ ...order, planId });
    expect({ code, param }).toEqual({ code: 'invalid_request', param: 'planId' });
    return message;
  };
  expect(await reasonOf('draft')).toMatch(/draft: sign and send its transaction/);
  expect(await reasonOf('ended')).toMatch(/no longer accepts new subscriptions/);
  expect(await reasonOf('nothing')).toMatch(/No plan with this planId/);
});

it.each([
  // GET and HEAD are allowed because the path also matches that of the hosted checkout page.
  ['DELETE', '/checkout/create', 'GET, HEAD, POST'],
  ['POST', '/api/subscriptions', 'GET, HEAD'],
  ['PUT', '/api/checkout/cs_x', 'GET, HEAD'],
  ['GET', '/api/checkout/cs_x/complete', 'POST'],
])('%s %s is not found, and the error names the allowed methods', async (method, path, allow) => {
  const { status, headers, body } = await world.request(method, path);
  expect({ status, ...body.error }).toMatchObject({ status: 404, code: 'not_found' });
  expect(headers.get('allow')).toBe(allow);
  expect(body.error.message).toContain(`only for ${allow}`);
});
