/** The lists of receipts, over GraphQL and REST and as CSV. */
import { describe, expect, it } from 'vitest';
import { parseCsv } from '../management/parse-csv.ts';
import { namedAddress } from '../support/named-address.ts';
import { sharedByFile } from '../support/shared-by-file.ts';
import { SEARCH } from './dashboard-documents.ts';
import { RECEIPT, RECEIPTS } from './documents.ts';
import { seedPayments, seedReceipt, seedSubscriptions } from './seed.ts';
import { graphqlError, startApiWorld } from './world.ts';

const COUNT = 7;
/** Two receipts share each time. */
const issuedAt = (number: number) => new Date(Date.UTC(2026, 10, 5, 0, Math.ceil(number / 2)));
const address = (number: number) => namedAddress(`TEST-subscription-${number}`);

/** The payments of the receipts, by number. */
const payments: string[] = [];
const world = await sharedByFile(startApiWorld());
const merchant = await world.newKeyedMerchant();
const { db } = world;
await seedSubscriptions(db, merchant.scope, COUNT + 1);
for (let number = 1; number <= COUNT; number++) {
  const [, paid] = await seedPayments(db, merchant.scope, address(number));
  const id = paid?.id ?? '';
  payments[number] = id;
  await seedReceipt(db, merchant.scope, id, number, issuedAt(number));
}
const at = issuedAt(1);
const refund = {
  ...merchant.scope,
  paymentId: payments[3] ?? '',
  createdAt: at,
  requestedAt: at,
  expiresAt: at,
};
const paid = { status: 'SUCCEEDED' as const, slot: 1n, refundedAt: at, transferIndex: 0 };
await db.refund.createMany({
  data: [
    { ...refund, ...paid, amount: 2_000_000n, reference: 'a', signature: 'a' },
    { ...refund, ...paid, amount: 500_000n, reference: 'b', signature: 'b' },
    { ...refund, amount: 1n, reference: 'c' },
    { ...refund, amount: 1_000_000n, reference: 'd', status: 'CANCELLED' },
    // This refund is larger than its payment.
    {
      ...refund,
      ...paid,
      paymentId: payments[5] ?? '',
      amount: 6_000_000n,
      reference: 'e',
      signature: 'e',
    },
  ],
});

const list = async (variables: object, key = merchant.testKey) => {
  const { receipts } = await world.query(key, RECEIPTS, variables);
  return { ...receipts, numbers: receipts.edges.map(({ node }) => node.number) };
};
const listOverRest = (query: string, key = merchant.testKey) =>
  world.request('GET', `/api/receipts${query}`, { key });
const readCsv = async (query: string, key = merchant.testKey) => {
  const { body } = await world.request('GET', `/api/exports/receipts.csv${query}`, { key });
  const [header = [], ...rows] = parseCsv(body as string);
  return rows.map((cells) => Object.fromEntries(header.map((name, index) => [name, cells[index]])));
};
const param = (name: string, code = 'invalid_request') => expect.objectContaining({ code, param: name });

describe('receipts', () => {
  it('are listed newest first, by pages in both directions, each once', async () => {
    const all = await list({});
    expect(all).toMatchObject({ totalCount: COUNT, numbers: [7, 6, 5, 4, 3, 2, 1] });
    expect(all.edges[4]?.node).toMatchObject({
      issuedAt: issuedAt(3).toISOString(),
      payment: { id: payments[3], refundedAmount: '2500000' },
    });
    const [first, last] = [await list({ first: 3 }), await list({ last: 3 })];
    expect([first.numbers, last.numbers]).toEqual([
      [7, 6, 5],
      [3, 2, 1],
    ]);
    const next = await list({ first: 3, after: first.pageInfo.endCursor });
    const before = await list({ last: 3, before: last.pageInfo.startCursor });
    expect([next.numbers, before.numbers]).toEqual([
      [4, 3, 2],
      [6, 5, 4],
    ]);
    expect([next.pageInfo.hasNextPage, before.pageInfo.hasPreviousPage]).toEqual([true, true]);
  });

  it('are found by number in a search', async () => {
    const found = async (text: string) => {
      const { search } = await world.query(merchant.testKey, SEARCH, { text });
      return search.filter(({ kind }) => kind === 'RECEIPT');
    };
    const hit = { id: '5', label: '5', detail: 'customer-5@example.com' };
    for (const text of ['5', ' #5 ', 'receipt 5', 'Receipt 5', '05']) {
      expect(await found(text)).toMatchObject([hit]);
    }
    for (const text of ['0', '99', 'receipt', '5a', '-5', '2147483647', '2147483648', '9'.repeat(20)]) {
      expect(await found(text)).toEqual([]);
    }
  });

  it.each([
    ['number', { number: 4 }, [4]],
    ['number of none', { number: 99 }, []],
    ['email', { customer: 'CUSTOMER-5@example.com' }, [5]],
    ["merchant's id of a customer", { customer: 'user-2' }, [2]],
    ['subscription', { subscriptionId: address(6) }, [6]],
    ['time', { from: issuedAt(3).toISOString(), to: issuedAt(5).toISOString() }, [4, 3]],
    ['two filters that no receipt matches', { customer: 'user-2', number: 3 }, []],
  ])('are filtered by %s, in all three ways', async (_, filter, numbers) => {
    expect(await list(filter)).toMatchObject({ numbers, totalCount: numbers.length });
    const query = `?${new URLSearchParams(Object.entries(filter).map(([name, value]) => [name, String(value)]))}`;
    const { body } = await listOverRest(query);
    expect(body.data.map(({ number }: { number: number }) => number)).toEqual(numbers);
    if ('number' in filter) return;
    expect((await readCsv(query)).map(({ number }) => Number(number))).toEqual(numbers.toReversed());
  });

  it('of a customer are those that were issued to that customer', async () => {
    const { db } = world;
    const subscription = await db.subscription.findFirstOrThrow({ where: { address: address(7) } });
    const { customerId, walletAddress } = subscription;
    const laterCustomer = {
      ...merchant.scope,
      walletAddress,
      email: 'later@example.com',
      customerId: 'later',
    };
    const { id } = await db.customer.create({ data: laterCustomer });
    await db.subscription.update({ where: { id: subscription.id }, data: { customerId: id } });
    expect([
      (await list({ customer: 'user-7' })).numbers,
      (await list({ customer: 'later' })).numbers,
    ]).toEqual([[7], []]);
    expect((await readCsv('?customer=user-7'))[0]).toMatchObject({
      email: 'customer-7@example.com',
      customerId: 'user-7',
    });
    await db.subscription.update({ where: { id: subscription.id }, data: { customerId } });
  });

  it('are found by number or payment, and by exactly one of them', async () => {
    const found = { receipt: { number: 3, payment: { id: payments[3] } } };
    expect(await world.query(merchant.testKey, RECEIPT, { number: 3 })).toEqual(found);
    expect(await world.query(merchant.testKey, RECEIPT, { paymentId: payments[3] ?? '' })).toEqual(found);
    for (const [variables, error] of [
      [{}, param('number')],
      [{ number: 3, paymentId: payments[3] ?? '' }, param('number')],
      [{ number: 0 }, param('number', 'not_found')],
      [{ paymentId: crypto.randomUUID() }, param('paymentId', 'not_found')],
      [{ paymentId: 'x' }, param('paymentId', 'not_found')],
    ] as const) {
      expect(await graphqlError(world.query(merchant.testKey, RECEIPT, variables))).toEqual(error);
    }
  });

  it('are listed in pages over REST, with the refunded amount', async () => {
    const { body: first } = await listOverRest('?limit=5');
    expect(first).toMatchObject({ hasMore: true, data: [{ number: 7 }, {}, {}, {}, {}] });
    expect(first.data[4]).toMatchObject({
      number: 3,
      issuedAt: issuedAt(3).toISOString(),
      paymentId: payments[3],
      paymentAmount: '5000000',
      refundedAmount: '2500000',
      document: { number: 3, chain: { subscription: address(3) } },
    });
    expect(first.data[4].jsonUrl).toBe(`${first.data[4].url}/receipt.json`);
    expect((await listOverRest('?limit=5&before=3')).body).toMatchObject({
      hasMore: false,
      data: [{ number: 2 }, { number: 1 }],
    });
  });

  it('are rows of a file, with totals and refunds', async () => {
    const rows = await readCsv('');
    expect(rows.map(({ number }) => number)).toEqual(['1', '2', '3', '4', '5', '6', '7']);
    expect(rows[2]).toMatchObject({
      issuedAt: issuedAt(3).toISOString(),
      paymentId: payments[3],
      subscriptionId: address(3),
      email: 'customer-3@example.com',
      customerId: 'user-3',
      symbol: 'USDC',
      paymentAmount: '5000000',
      refunds: '2',
      refundedAmount: '2500000',
      netAmount: '2500000',
    });
    expect(rows[4]).toMatchObject({ refundedAmount: '6000000', netAmount: '-1000000' });
    expect((await readCsv('?number=3')).map(({ number }) => number)).toEqual(['3']);
    const { body } = await world.request('GET', '/api/exports/payments.csv?status=succeeded', {
      key: merchant.testKey,
    });
    const [header = [], ...paid] = parseCsv(body as string);
    const column = (name: string) => paid.map((cells) => cells[header.indexOf(name)]).toSorted();
    expect(column('refundedAmount').slice(-2)).toEqual(['2500000', '6000000']);
    expect(column('pendingRefundAmount')).toEqual(['0', '0', '0', '0', '0', '0', '1']);
    expect(column('receiptNumber')).toEqual(['1', '2', '3', '4', '5', '6', '7']);
  });

  it.each([
    ['number', '?number=0'],
    ['number', '?number=2147483648'],
    ['before', '?before=8'],
    ['limit', '?limit=101'],
    ['customer', '?customer='],
    ['subscriptionId', '?subscriptionId=x'],
    ['to', `?from=${issuedAt(2).toISOString()}&to=${issuedAt(1).toISOString()}`],
    ['page', '?page=1'],
  ])('name %s as wrong in %s', async (name, query) => {
    const { status, body } = await listOverRest(query);
    expect({ status, error: body.error }).toEqual({ status: 400, error: param(name) });
  });

  it('refuse a filter that matches more than 1,000 customers', async () => {
    const { merchantId, environment } = merchant.scope;
    await world.db.$executeRaw`
      INSERT INTO "Customer" ("id", "merchantId", "environment", "email", "customerId", "walletAddress")
      SELECT gen_random_uuid(), ${merchantId}::uuid, ${environment}::"Environment", 'many@example.com', 'many', 'many-' || i
      FROM generate_series(1, 1000) AS i`;
    expect((await listOverRest('?customer=many')).status).toBe(200);
    await world.db.customer.create({
      data: { ...merchant.scope, email: 'x', walletAddress: 'x', customerId: 'many' },
    });
    expect((await listOverRest('?customer=many')).body.error).toEqual(param('customer'));
  });
});
