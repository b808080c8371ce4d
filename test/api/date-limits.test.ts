/** Dates at the limits of the database and of ISO 8601. */
import { expect, it } from 'vitest';
import { sharedByFile } from '../support/shared-by-file.ts';
import { startApiWorld } from './world.ts';

const world = await sharedByFile(startApiWorld());
const merchant = await world.newKeyedMerchant();

const RESOURCES = ['payments', 'receipts', 'subscriptions', 'customers', 'events'];
const getExport = (resource: string, param: string, date: string) =>
  world.request('GET', `/api/exports/${resource}.csv?${param}=${encodeURIComponent(date)}`, {
    key: merchant.testKey,
  });

it.each([
  '0000-01-01T00:00:00Z',
  '0000-12-31T23:59:59.999Z',
  '0001-01-01T00:00:00+00:01',
  '9999-12-31T23:59:59-00:01',
  '-000001-01-01T00:00:00Z',
  '+010000-01-01T00:00:00Z',
  '2026-02-30T00:00:00Z',
])('an export is refused for %s', async (date) => {
  for (const resource of RESOURCES) {
    for (const param of ['from', 'to']) {
      const { status, body } = await getExport(resource, param, date);
      expect({ resource, status, body }).toMatchObject({
        resource,
        status: 400,
        body: { error: { code: 'invalid_request', param } },
      });
    }
  }
});

it.each(['0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z'])('an export for %s is complete', async (date) => {
  for (const resource of RESOURCES) {
    for (const param of ['from', 'to']) {
      const { status, body } = await getExport(resource, param, date);
      expect(status).toBe(200);
      expect(body).toMatch(/^\w+(,\w+)*\r\n$/);
    }
  }
});

it.each(['2026-12-01T00:00Z', '2026-12-01T00:00+02:00', '2026-12-01T00:00:00.123456789Z'])(
  'GraphQL accepts the time %s',
  async (date) => {
    const query = `{ payments(first: 1, from: "${date}") { edges { cursor } } }`;
    const { status, body } = await world.request('POST', '/graphql', {
      key: merchant.testKey,
      body: { query },
    });
    expect([status, body]).toEqual([200, { data: { payments: { edges: [] } } }]);
  },
);

it('a failure in the first rows is an error, not an incomplete file', async () => {
  const { db } = world;
  await db.$executeRawUnsafe('ALTER TABLE "Payment" RENAME TO "PaymentElsewhere"');
  try {
    const { status, body } = await getExport('payments', 'from', '2026-01-01T00:00:00Z');
    expect([status, body]).toMatchObject([500, { error: { code: 'internal_error' } }]);
  } finally {
    await db.$executeRawUnsafe('ALTER TABLE "PaymentElsewhere" RENAME TO "Payment"');
  }
});
