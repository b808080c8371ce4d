import { expect, it } from 'vitest';
import { startApiWorld } from '../api/world.ts';
import { sharedByFile } from '../support/shared-by-file.ts';
import { RARE, seedMany } from './many-rows.ts';
import { parseCsv } from './parse-csv.ts';

const MANY = 10_000;

const world = await sharedByFile(startApiWorld());
const [merchant, stranger] = [await world.newKeyedMerchant(), await world.newKeyedMerchant()];
await seedMany(world.db, merchant.scope, MANY);

const readExport = async (path: string, key = merchant.testKey) => {
  const { status, body } = await world.request('GET', `/api/exports/${path}`, { key });
  expect(status).toBe(200);
  return parseCsv(body as string);
};

it('exports any text unchanged, except that no cell is a formula in a spreadsheet', async () => {
  const [header, first] = await readExport('subscriptions.csv?to=2026-01-01T00:00:02Z');
  expect(header).toEqual(
    'subscriptionId,state,planId,planName,amount,interval,mint,email,customerId,walletAddress,paymentNumber,failureCount,nextPaymentDate,startedAt,cancelledAt,accessUntil,metadata,createdAt,decimalAmount,symbol,discount,discountPaymentsLeft,fullPriceAt'.split(
      ',',
    ),
  );
  const row = Object.fromEntries((header ?? []).map((name, index) => [name, first?.[index]]));
  expect(row).toMatchObject({
    state: 'active',
    amount: '5000000',
    interval: '86400',
    customerId: "'=user-1",
    cancelledAt: '',
    nextPaymentDate: '2026-01-02T00:00:01.000Z',
    metadata: JSON.stringify({ note: 'Zoë, "quoted"\n1' }),
    decimalAmount: '5.00',
    symbol: 'USDC',
  });
  const [names, payment] = await readExport('payments.csv?to=2026-01-01T00:00:02Z');
  const cells = Object.fromEntries((names ?? []).map((name, index) => [name, payment?.[index]]));
  expect(cells).toMatchObject({ decimalAmount: '5.00', decimalRefundedAmount: '0.00', symbol: 'USDC' });
  for (const email of ['+1@example.com', '-1@example.com', '@example.com', '\tx', '\rx', 'a\nb', '"']) {
    const customer = { ...stranger.scope, email, walletAddress: email };
    await world.db.customer.create({ data: customer });
  }
  const [, ...rows] = await readExport('customers.csv', stranger.testKey);
  expect(rows.map((cells) => cells[1])).toEqual(
    expect.arrayContaining([
      ...["'+1@example.com", "'-1@example.com", "'@example.com", "'\tx", "'\rx"],
      ...['a\nb', '"'],
    ]),
  );
});

it.each([
  [`payments.csv?status=failed`, MANY / RARE],
  [`payments.csv?planId=small&status=succeeded`, MANY / 100 - MANY / RARE],
  [`subscriptions.csv?status=past_due`, MANY / RARE],
  [`subscriptions.csv?statuses=past_due,expired`, MANY / RARE],
  [`subscriptions.csv?planId=small&statuses=active,past_due&cancelAtPeriodEnd=false`, MANY / 100],
  [`subscriptions.csv?cancelAtPeriodEnd=true`, 0],
  [`subscriptions.csv?planId=none`, 0],
  [`subscriptions.csv?customer=customer-7@example.com`, 1],
  [`customers.csv?search=customer-777`, 11],
  [`customers.csv?from=2026-01-01T00:00:10Z&to=2026-01-01T01:00:12%2B01:00`, 2],
  [`customers.csv?from=2026-01-01T00:00:10Z&to=2026-01-01T00:00:20Z`, 10],
  [`events.csv?type=subscription.payment_failed`, MANY / RARE],
] as const)('%s has %d rows', async (path, count) => {
  expect((await readExport(path)).length - 1).toBe(count);
});

it('is not written without a key', async () => {
  const { status, body } = await world.request('GET', '/api/exports/payments.csv');
  expect({ status, code: body.error.code }).toEqual({ status: 401, code: 'authentication_error' });
});

it.each([
  ['status', 'payments.csv?status=lost'],
  ['status', 'subscriptions.csv?status=ACTIVE'],
  ['statuses', 'subscriptions.csv?statuses=active,lost'],
  ['cancelAtPeriodEnd', 'subscriptions.csv?cancelAtPeriodEnd=1'],
  ['from', 'payments.csv?from=yesterday'],
  ['from', 'payments.csv?from=2026-01-01'],
  ['to', 'payments.csv?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z'],
  ['to', 'customers.csv?from=2026-01-02T00:00:00Z&to=2026-01-02T00:00:00Z'],
  ['type', 'events.csv?type=subscription.lost'],
  ['planId', 'payments.csv?planId=%00'],
  ['search', 'customers.csv?search=%00'],
])('the error names the parameter %s for %s', async (param, path) => {
  const { status, body } = await world.request('GET', `/api/exports/${path}`, { key: merchant.testKey });
  expect({ status, ...body.error }).toMatchObject({ status: 400, code: 'invalid_request', param });
});

it('an unknown export is not found', async () => {
  const { status } = await world.request('GET', '/api/exports/keys.csv', { key: merchant.testKey });
  expect(status).toBe(404);
});
