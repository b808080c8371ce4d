import { isInputObjectType } from 'graphql';
import { expect, it } from 'vitest';
import { Browser } from '../api/browser.ts';
import { seedTransfer } from '../api/seed.ts';
import { startApiWorld } from '../api/world.ts';
import { rootFields, schema } from '../property/operations.ts';
import { sharedByFile } from '../support/shared-by-file.ts';
import { RARE, seedMany, seedReceipts } from './many-rows.ts';

const FILTERS: Readonly<Record<string, string>> = {
  payments: 'PaymentFilter',
  receipts: 'ReceiptFilter',
  events: 'EventFilter',
  webhookDeliveries: 'WebhookDeliveryFilter',
  auditLog: 'AuditLogFilter',
};

const world = await sharedByFile(startApiWorld());
const merchant = await world.newKeyedMerchant();
const { db } = world;
const { scope } = merchant;
await seedMany(db, scope, RARE);
await seedReceipts(db, scope);
// Members may read every list; keys may not read the audit log.
const browser = new Browser(world, { environment: 'test' });
await browser.signIn(merchant.wallet);

const at = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1000);
const text = (value: string | Date) => JSON.stringify(value);

const payment = await db.payment.findFirstOrThrow({ where: { subscription: { walletAddress: 'wallet-7' } } });
const { subscriptionId } = payment;
await db.payment.update({ where: { id: payment.id }, data: { failureCode: 'ACCOUNT_FROZEN' } });
const signature = await seedTransfer(db, payment);
const event = await db.event.findFirstOrThrow({ where: { subscriptionId } });
await db.event.update({ where: { id: event.id }, data: { data: { paymentId: payment.id } } });
const endpointId = await seedDeliveries();
const actorId = crypto.randomUUID();
await seedAuditEntries();
// The sign-in and the keys of the merchant have later entries.
const lateEntries = await db.auditEntry.count({
  where: { merchantId: scope.merchantId, createdAt: { gte: at(2) } },
});

/** Deliveries at the seconds 1 to 3; the first differs from the others in everything. */
async function seedDeliveries(): Promise<string> {
  const failed = await db.event.findFirstOrThrow({
    where: { ...scope, type: 'subscription.payment_failed' },
  });
  const others = await db.event.findMany({
    where: { ...scope, id: { notIn: [event.id, failed.id] } },
    take: 1,
  });
  const endpoints = await Promise.all(
    ['first', 'second'].map((name) =>
      db.webhookEndpoint.create({
        data: { ...scope, url: `https://shop.example/${name}`, encryptedSecret: Buffer.from('x') },
      }),
    ),
  );
  const [first, second] = endpoints.map(({ id }) => id);
  if (first === undefined || second === undefined) throw new Error('There are no endpoints.');
  await db.delivery.createMany({
    data: [event, failed, ...others].map(({ id, subscriptionId }, index) => ({
      ...scope,
      eventId: id,
      subscriptionId,
      sequence: 1,
      endpointId: index === 0 ? first : second,
      status: index === 0 ? ('FAILED' as const) : ('SUCCEEDED' as const),
      lastStatusCode: index === 0 ? 503 : 200,
      createdAt: at(index + 1),
    })),
  });
  return first;
}

/** Entries at the seconds 1 and 2, of another action, target and actor than those of the sign-in. */
async function seedAuditEntries(): Promise<void> {
  await db.auditEntry.createMany({
    data: [1, 2].map((second) => ({
      ...scope,
      action: 'plan.updated',
      targetId: 'big',
      changes: {},
      actor: 'API_KEY' as const,
      actorId,
      createdAt: at(second),
    })),
  });
}

/** Each field of each filter, a value, and the number of rows that it finds. */
const CASES: readonly (readonly [list: string, field: string, value: string, rows: number])[] = [
  ['payments', 'subscriptionId', text(subscriptionId), 1],
  ['payments', 'planId', '"small"', RARE / 100],
  ['payments', 'status', 'FAILED', 1],
  ['payments', 'customer', '"CUSTOMER-7@example.com"', 1],
  ['payments', 'signature', text(signature), 1],
  ['payments', 'failureCode', 'ACCOUNT_FROZEN', 1],
  ['payments', 'from', text(at(RARE - 9)), 10],
  ['payments', 'to', text(at(11)), 10],
  ['receipts', 'number', '7', 1],
  ['receipts', 'subscriptionId', text(subscriptionId), 1],
  ['receipts', 'customer', '"=user-7"', 1],
  // The newest payment failed, and has no receipt.
  ['receipts', 'from', text(at(RARE - 9)), 9],
  ['receipts', 'to', text(at(11)), 10],
  ['events', 'type', '"subscription.payment_failed"', 1],
  ['events', 'subscriptionId', text(subscriptionId), 1],
  ['events', 'paymentId', text(payment.id), 1],
  ['events', 'from', text(at(RARE - 9)), 10],
  ['events', 'to', text(at(11)), 10],
  ['webhookDeliveries', 'endpointId', text(endpointId), 1],
  ['webhookDeliveries', 'eventId', text(event.id), 1],
  ['webhookDeliveries', 'eventType', '"subscription.payment_failed"', 1],
  ['webhookDeliveries', 'subscriptionId', text(subscriptionId), 1],
  ['webhookDeliveries', 'status', 'FAILED', 1],
  ['webhookDeliveries', 'statusCode', '503', 1],
  ['webhookDeliveries', 'from', text(at(2)), 2],
  ['webhookDeliveries', 'to', text(at(2)), 1],
  ['auditLog', 'action', '"plan.updated"', 2],
  ['auditLog', 'targetId', '"big"', 2],
  ['auditLog', 'actorId', text(actorId), 2],
  ['auditLog', 'from', text(at(2)), lateEntries],
  ['auditLog', 'to', text(at(2)), 1],
];

interface Answer {
  readonly data: Record<string, { edges: { cursor: string }[] }> | null;
  readonly errors?: readonly { message: string; extensions: { code: string; param: string } }[];
}

async function ask(list: string, listArguments: string): Promise<Answer> {
  const response = await browser.fetch('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: `{ ${list}(${listArguments}, first: 100) { edges { cursor } } }` }),
  });
  return (await response.json()) as Answer;
}

async function read(list: string, listArguments: string): Promise<string[]> {
  const { data, errors } = await ask(list, listArguments);
  expect(errors).toBeUndefined();
  return (data?.[list]?.edges ?? []).map(({ cursor }) => cursor);
}

async function refusal(list: string, listArguments: string) {
  const { errors = [] } = await ask(list, listArguments);
  expect(errors).toHaveLength(1);
  return { message: errors[0]?.message, ...errors[0]?.extensions };
}

it.each(Object.entries(FILTERS))('every older argument of %s names its field of %s', (list, name) => {
  const type = schema.getType(name);
  const fields = isInputObjectType(type) ? Object.keys(type.getFields()).sort() : [];
  const args = rootFields('Query').find(({ field }) => field.name === list)?.field.args ?? [];
  const deprecated = args.filter(({ deprecationReason }) => deprecationReason != null);
  expect(Object.fromEntries(deprecated.map((arg) => [arg.name, arg.deprecationReason]))).toEqual(
    Object.fromEntries(fields.map((field) => [field, `Use \`filter.${field}\`.`])),
  );
  const tested = CASES.filter(([each]) => each === list).map(([, field]) => field);
  expect(tested.sort()).toEqual(fields);
});

it.each(CASES)('%s are filtered by %s as by the older argument: %s', async (list, field, value, rows) => {
  const found = await read(list, `filter: {${field}: ${value}}`);
  expect(found).toHaveLength(rows);
  expect(await read(list, `${field}: ${value}`)).toEqual(found);
  expect(await read(list, `filter: {${field}: null}, ${field}: ${value}`)).toEqual(found);
  expect((await read(list, 'filter: null')).length).toBeGreaterThan(rows);
  expect(await refusal(list, `filter: {${field}: ${value}}, ${field}: ${value}`)).toEqual({
    message: `Give ${field} only in filter, not also as an argument.`,
    code: 'invalid_request',
    param: `filter.${field}`,
  });
});

it.each(Object.keys(FILTERS))('a filter and an older argument of %s are combined', async (list) => {
  const [from, to] = [`from: ${text(at(1))}`, `to: ${text(at(2))}`];
  const found = await read(list, `filter: {${from}, ${to}}`);
  expect(found).toHaveLength(1);
  expect(await read(list, `filter: {${from}}, ${to}`)).toEqual(found);
  expect(await read(list, `filter: {${to}}, ${from}`)).toEqual(found);
});

const BACKWARDS = `${text(at(1))}, from: ${text(at(2))}`;

it.each([
  ['payments', 'subscriptionId', '"xx"'],
  ['payments', 'planId', '""'],
  ['payments', 'customer', text('x'.repeat(256))],
  ['payments', 'signature', '"xx"'],
  ['payments', 'to', BACKWARDS],
  ['receipts', 'subscriptionId', '"xx"'],
  ['receipts', 'customer', text('x'.repeat(256))],
  ['receipts', 'to', BACKWARDS],
  ['events', 'type', '"xx"'],
  ['events', 'subscriptionId', '"xx"'],
  ['events', 'paymentId', '"xx"'],
  ['events', 'to', BACKWARDS],
  ['webhookDeliveries', 'endpointId', '"xx"'],
  ['webhookDeliveries', 'eventId', '"xx"'],
  ['webhookDeliveries', 'eventType', '"xx"'],
  ['webhookDeliveries', 'subscriptionId', '"xx"'],
  ['webhookDeliveries', 'statusCode', '99'],
  ['webhookDeliveries', 'to', BACKWARDS],
  ['auditLog', 'action', '"xx"'],
  ['auditLog', 'actorId', '"xx"'],
  ['auditLog', 'to', BACKWARDS],
])('%s refuse a bad %s in the filter as in the older argument', async (list, field, value) => {
  const older = await refusal(list, `${field}: ${value}`);
  expect(older).toMatchObject({ code: 'invalid_request', param: field });
  const inFilter = await refusal(list, `filter: {${field}: ${value}}`);
  expect(inFilter).toEqual({ ...older, param: `filter.${field}` });
  // A null in the filter is not given, so the older argument is wrong.
  expect(await refusal(list, `filter: {${field}: null}, ${field}: ${value}`)).toEqual(older);
});
