/** Receipts: from the payment to the comparison with the chain, through the public API. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { fitsPdf, receiptPdf } from '../../src/api/pages/receipt-pdf.ts';
import type { BillingAnswer, PaymentsAnswer, SubscriptionsAnswer } from '../../src/api/portal/answers.ts';
import { connectDb } from '../../src/db/db.ts';
import { createMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { updateProfile } from '../../src/domain/accounts/merchant/update-profile.ts';
import { issueMissingReceipts } from '../../src/domain/billing/receipt/issue-missing-receipts.ts';
import { issueReceipts } from '../../src/domain/billing/receipt/issue-receipts.ts';
import type { ReceiptDocument } from '../../src/domain/billing/receipt/receipt-document.ts';
import { readReceiptFile, sealReceipt } from '../../src/domain/billing/receipt/receipt-file.ts';
import { receiptTexts } from '../../src/domain/billing/receipt/receipt-texts.ts';
import { finalizePayments } from '../../src/domain/billing/settle/finalize-payments.ts';
import type { Scope } from '../../src/domain/kernel/access/scope.ts';
import { signId } from '../../src/secrets.ts';
import { runDues } from '../../tools/world/dues-process.ts';
import { Browser } from '../api/browser.ts';
import { namedAddress } from '../support/named-address.ts';
import { sharedByFile } from '../support/shared-by-file.ts';
import { addExtra } from './merchant-pulls.ts';
import { DAY, PRICE, type Subscriber, startWorld } from './world.ts';

interface ReceiptRow {
  readonly number: number;
  readonly issuedAt: string;
  readonly url: string;
  readonly pdfUrl: string | null;
  readonly jsonUrl: string;
  readonly document: ReceiptDocument;
}

/** The customer's first receipt, issued before seller and buyer had addresses, and the second. */
let first: ReceiptRow;

/** The changes after issue, with the maximum number of refunds. */
const LATER = {
  received: 1n,
  refunds: Array(50).fill({ amount: 1n, refundedAt: new Date(0), signature: 'x' }),
};

const SELLER = {
  legalName: 'Acme Sàrl',
  postalAddress: '1 Rue Haute\nL-1718 Luxembourg',
  taxId: 'LU20260000',
};
const BUYER = { billingName: 'Ada & Sons', billingAddress: '12 Low Lane\nLondon', taxId: 'GB123456789' };

const PAYMENTS = `query ($id: ID!) { payments(subscriptionId: $id, first: 20) { edges { node {
  receipt { number issuedAt url pdfUrl jsonUrl document } } } } }`;

const world = await sharedByFile(startWorld());
const folder = await mkdtemp(join(tmpdir(), 'dues-receipts-'));
const customer = await world.renewing();
[first] = (await receiptsOf(customer, 1)) as [ReceiptRow];
await updateProfile(world.ctx, { merchantId: world.scope.merchantId }, SELLER);
await world.graphql(
  'mutation ($id: ID!, $input: BillingDetailsInput!) { updateBillingDetails(id: $id, input: $input) { id } }',
  {
    id: await customerIdOf(customer),
    input: BUYER,
  },
);
await world.travel(DAY);
const second = (await receiptsOf(customer, 2))[1] as ReceiptRow;
afterAll(async () => {
  await rm(folder, { recursive: true });
});

/** The receipts of a customer, oldest first, once there are at least `count`. */
async function receiptsOf({ id }: Subscriber, count: number): Promise<ReceiptRow[]> {
  let found: ReceiptRow[] = [];
  await world.until(`there are ${count} receipts`, async () => {
    await finalizePayments(world.ctx, 'TEST');
    const { payments } = await world.graphql<{
      payments: { edges: { node: { receipt: ReceiptRow | null } }[] };
    }>(PAYMENTS, { id });
    found = payments.edges.flatMap(({ node }) => node.receipt ?? []);
    return found.length >= count;
  });
  return found.toSorted((a, b) => a.number - b.number);
}

async function customerIdOf({ id: address }: Subscriber): Promise<string> {
  const { customerId } = await world.ctx.db.subscription.findFirstOrThrow({ where: { address } });
  return customerId;
}

/** The page or file of a URL, at the address where the server listens. */
const get = (url: string) => fetch(url.replace(/^https?:\/\/[^/]+/, world.apiUrl));
const getPath = (path: string) => get(`http://dues.example${path}`);

describe('a receipt', () => {
  it('states what was true when it was issued, and never changes', async () => {
    expect([first.number, second.number]).toEqual([1, 2]);
    expect(first.document.seller).toMatchObject({
      name: 'Acme',
      legalName: null,
      address: null,
      taxId: null,
    });
    expect(second.document).toMatchObject({
      type: 'dues.receipt',
      version: 1,
      number: 2,
      environment: 'TEST',
      paymentNumber: 2,
      amount: { baseUnits: String(PRICE), decimals: 6, decimal: '5.00', symbol: 'USDC' },
      seller: {
        name: 'Acme',
        legalName: SELLER.legalName,
        address: SELLER.postalAddress,
        taxId: SELLER.taxId,
        wallet: world.merchantWallet.address,
      },
      buyer: {
        legalName: BUYER.billingName,
        address: BUYER.billingAddress,
        taxId: BUYER.taxId,
        wallet: customer.wallet.address,
      },
      chain: { cluster: 'solana:localnet', plan: customer.plan, subscription: customer.id },
    });
    const { from, to } = second.document.period;
    expect(Date.parse(to) - Date.parse(from)).toBe(DAY * 1_000);
    expect(await receiptsOf(customer, 2)).toEqual([first, second]);
    const { db } = world.ctx;
    // Two payments, and one customer by whom the merchant may use the collector's SOL.
    expect(await db.receiptCounter.findMany()).toEqual([{ ...world.scope, last: 2, customerCount: 1 }]);
    const key = { merchantId_environment_number: { ...world.scope, number: 1 } };
    await expect(db.receipt.update({ where: key, data: { number: 9 } })).rejects.toThrow(
      'Receipt_never_changes',
    );
    await expect(db.receipt.delete({ where: key })).rejects.toThrow('Receipt_never_changes');
  });

  it('is a page, a PDF and a JSON file for anyone who has its link', async () => {
    const page = await get(second.url);
    const html = await page.text();
    expect(page.status).toBe(200);
    expect(page.headers.get('x-robots-tag')).toBe('noindex');
    expect(page.headers.get('cache-control')).toBe('no-store');
    for (const excerpt of [
      'Receipt 2',
      '5.00 USDC',
      'Acme Sàrl',
      'L-1718 Luxembourg',
      'LU20260000',
      'Ada &amp; Sons',
      'Test mode',
      second.document.chain.signature,
    ]) {
      expect(html).toContain(excerpt);
    }
    const pdf = Buffer.from(await (await get(second.pdfUrl ?? '')).arrayBuffer());
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    expect(pdf.length).toBeLessThan(20_000);
    const file = await get(second.jsonUrl);
    expect(file.headers.get('content-disposition')).toContain('receipt-2.json');
    expect(await file.json()).toMatchObject({
      receipt: second.document,
      later: { received: '0', refunds: [] },
    });
  });

  it('is a PDF with the same bytes each time, if its fonts have all letters', async () => {
    const named = (legalName: string) =>
      receiptTexts({ ...second.document, buyer: { ...second.document.buyer, legalName } }, LATER);
    for (const [name, max] of [
      ['Ümit €', 5_000],
      ['Юлия Ελένη Nguyễn Thị Łucja', 40_000],
    ] as const) {
      const [one, same] = await Promise.all([1, 2].map(() => receiptPdf(named(name), new Date(0))));
      expect(one?.equals(same as Buffer)).toBe(true);
      expect(one?.length).toBeLessThan(max);
    }
    const long = { ...second.document, plan: { id: 'x', name: 'W'.repeat(255) } };
    const sides = { legalName: 'W'.repeat(200), address: Array(8).fill('W'.repeat(62)).join('\n') };
    const longest = receiptTexts(
      { ...long, seller: { ...long.seller, ...sides }, buyer: { ...long.buyer, ...sides } },
      LATER,
    );
    expect((await receiptPdf(longest, new Date(0))).length).toBeLessThan(20_000);
    const refund = { amount: 1n, refundedAt: new Date(0), signature: 'x' };
    const refunds = Array.from({ length: 50 }, () => refund);
    const refunded = await receiptPdf(receiptTexts(second.document, { received: 0n, refunds }), new Date(0));
    expect(refunded.toString('latin1').match(/\/Type \/Page\b/g)).toHaveLength(2);
    const names = ['Ümit €', 'Юлия Ελένη', 'Nguyễn Thị', '山田', 'محمد', 'Юлия 山田'];
    expect(names.map((name) => fitsPdf(named(name)))).toEqual([true, true, true, false, false, false]);
  });

  it('waits until the payment is final, and says so', async () => {
    await world.stopWorkers();
    const { id } = (await world.books(customer.id))[1] ?? { id: '' };
    const { db, config } = world.ctx;
    const before = await db.payment.findUniqueOrThrow({ where: { id } });
    const { id: _, lines: __, ...columns } = before;
    const open = await db.payment.create({
      data: { ...columns, periodStart: 1n, number: 900, finalized: false, receiptNumber: null },
    });
    const token = signId(config.secretKey, 'receipt', open.id);
    const page = await getPath(`/receipts/${token}`);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('when the network has finalized the payment');
    for (const path of ['receipt.json', 'check'])
      expect((await getPath(`/receipts/${token}/${path}`)).status).toBe(404);
    // The payment is final, but the ledger has no transfer of it: no receipt will follow.
    await db.payment.update({ where: { id: open.id }, data: { finalized: true, receiptNumber: 0 } });
    expect((await getPath(`/receipts/${token}`)).status).toBe(404);
    await db.payment.delete({ where: { id: open.id } });
    await world.startWorkers();
  });
});

describe('nobody else', () => {
  it('opens a receipt with another link, or without one', async () => {
    const payment = await world.ctx.db.payment.findFirstOrThrow({ where: { receiptNumber: 1 } });
    const token = first.url.split('/').at(-1) ?? '';
    const { secretKey } = world.ctx.config;
    const otherTokens = [
      ...[
        token.slice(0, -1),
        `${token}A`,
        token.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A')),
        payment.id,
      ],
      signId(secretKey, 'unsubscribe', payment.id),
      signId(secretKey, 'receipt', world.scope.merchantId),
    ];
    for (const other of otherTokens) {
      const page = await getPath(`/receipts/${other}`);
      expect({ other, status: page.status }).toEqual({ other, status: 404 });
      expect(await page.text()).toContain('There is no such receipt');
      expect((await getPath(`/receipts/${other}/receipt.json`)).status).toBe(404);
    }
  });

  it('sees the receipts or billing details of another customer in the portal', async () => {
    const portal = await openPortal(await customerIdOf(customer));
    const { subscriptions } = await portal.ask<SubscriptionsAnswer>('subscriptions');
    const id = subscriptions[0]?.id ?? '';
    const path = `subscriptions/${id}`;
    const { payments } = await portal.ask<PaymentsAnswer>(`${path}/payments`);
    expect(payments.map(({ receiptUrl }) => receiptUrl)).toEqual([second.url, first.url]);
    expect(await portal.ask<BillingAnswer>(`${path}/billing`)).toEqual(BUYER);
    const change = { billingName: null, billingAddress: '13 Low Lane\r\nLondon' };
    const expected = { ...BUYER, billingName: null, billingAddress: '13 Low Lane\nLondon' };
    expect(await portal.ask<BillingAnswer>(`${path}/billing`, change)).toEqual(expected);
    const audit = await world.ctx.db.auditEntry.findFirstOrThrow({
      where: { action: 'customer.updated', actor: 'CUSTOMER' },
    });
    expect(audit.changes).toMatchObject({ billingName: { from: BUYER.billingName, to: null } });
    for (const [param, value] of [
      ['billingName', 'x'.repeat(201)],
      ['billingName', 'a\nb'],
      ['billingAddress', Array(9).fill('line').join('\n')],
      ['billingAddress', 'x'.repeat(501)],
      ['taxId', 'x'.repeat(51)],
      ['taxId', ''],
    ] as const) {
      const { status, body } = await portal.try(`${path}/billing`, { [param]: value });
      expect({ status, param: body.error.param }).toEqual({ status: 400, param });
    }

    const other = await world.renewing();
    const otherPortal = await openPortal(await customerIdOf(other));
    expect((await otherPortal.try(`${path}/billing`)).status).toBe(404);
    expect((await otherPortal.try(`${path}/billing`, { taxId: 'X' })).status).toBe(404);
    // Another customer of the same wallet takes the subscription over, and sees no older receipts.
    const {
      email: _,
      id: _id,
      ...columns
    } = await world.ctx.db.customer.findUniqueOrThrow({
      where: { id: await customerIdOf(customer) },
    });
    const successor = await world.ctx.db.customer.create({ data: { ...columns, email: 'new@example.com' } });
    await world.ctx.db.subscription.update({ where: { id }, data: { customerId: successor.id } });
    const later = await openPortal(successor.id);
    const { payments: laterPayments } = await later.ask<PaymentsAnswer>(`${path}/payments`);
    expect(laterPayments.map(({ receiptUrl }) => receiptUrl)).toEqual([null, null]);
  });

  async function openPortal(customerId: string) {
    const { createPortalSession: link } = await world.graphql<{ createPortalSession: { url: string } }>(
      'mutation ($customer: ID!) { createPortalSession(customer: $customer) { url } }',
      { customer: customerId },
    );
    const browser = new Browser({ api: { url: world.apiUrl } }, { origin: world.ctx.config.publicUrl });
    const attempt = async (path: string, body?: object) => {
      const response = await browser.fetch(`/api/portal/${path}`, {
        ...(body && {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      });
      return { status: response.status, body: await response.json() };
    };
    await attempt('link', { token: link.url.split('=').at(-1), confirmed: true });
    return {
      try: attempt,
      async ask<Answer>(path: string, body?: object): Promise<Answer> {
        const { status, body: answer } = await attempt(path, body);
        expect({ path, status }).toEqual({ path, status: 200 });
        return answer as Answer;
      },
    };
  }
});

describe('compared with the chain', () => {
  const compare = async (text: string) => {
    const body = new URLSearchParams({ receipt: text });
    const response = await fetch(`${world.apiUrl}/receipts/verify`, { method: 'POST', body });
    return { status: response.status, html: await response.text() };
  };
  const textOf = async ({ jsonUrl }: ReceiptRow) => (await get(jsonUrl)).text();
  const rpc = () => ['--rpc', world.chain.config.rpcUrl];

  it('a genuine receipt agrees on its page, pasted, and with dues verify', async () => {
    for (const receipt of [first, second]) {
      const text = await textOf(receipt);
      expect((await compare(text)).html).toContain('agrees with the chain');
      const page = await (await get(`${receipt.url}/check`)).text();
      expect(page).toContain('agrees with the chain');
      expect(page).toContain('5.00 USDC on Solana localnet. Test mode: no real money moved.');
    }
    const file = join(folder, 'receipt.json');
    await writeFile(file, await textOf(second));
    const { seal } = readReceiptFile(await textOf(second));
    expect(await (await getPath('/receipts/verify')).text()).toContain(`<code>${seal.publicKey}</code>`);
    const url = second.url.replace(/^https?:\/\/[^/]+/, world.apiUrl);
    for (const source of [file, url]) {
      const { code, stdout, stderr } = await runDues(['verify', source, '--key', seal.publicKey, ...rpc()]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toContain('The receipt agrees with the chain, and the key has signed it.');
      expect(stdout).toContain('Not checked: "later"');
      expect(stdout).toContain('Test mode: no real money moved.');
    }
  });

  it('one with lines agrees in full and in part, and no digit of it can change', async () => {
    const payer = await world.subscriber(await world.plan({ limit: 4n * PRICE }));
    await receiptsOf(payer, 1);
    await addExtra(world, payer, 4n * PRICE);
    const [whole, cut] = (await receiptsOf(payer, 2)) as [ReceiptRow, ReceiptRow];
    const limit = { baseUnits: String(4n * PRICE), decimal: '20.00', seconds: DAY };
    expect(whole.document).toMatchObject({
      version: 2,
      amount: { decimal: '5.00' },
      lines: [{ kind: 'FLAT', decimal: '5.00' }],
      owed: { decimal: '5.00' },
      limit,
    });
    expect(cut.document).toMatchObject({
      version: 2,
      amount: { decimal: '15.00' },
      lines: [{ kind: 'EXTRA', text: 'Ten more calls', decimal: '20.00' }],
      owed: { decimal: '20.00' },
      limit,
    });
    for (const receipt of [whole, cut]) {
      const text = await textOf(receipt);
      expect((await compare(text)).html).toContain('agrees with the chain');
      const { seal } = readReceiptFile(text);
      const url = receipt.url.replace(/^https?:\/\/[^/]+/, world.apiUrl);
      const { code, stdout } = await runDues(['verify', url, '--key', seal.publicKey, ...rpc()]);
      expect({ code, stdout }).toEqual({
        code: 0,
        stdout: expect.stringContaining('The lines add up to what was owed'),
      });
    }
    const file = JSON.parse(await textOf(cut)) as { receipt: Record<string, unknown> };
    const { lines, owed, limit: most } = file.receipt;
    for (const path of pathsOf({ receipt: { lines, owed, limit: most } })) {
      const { status, html } = await compare(JSON.stringify(alter(file, path)));
      const isRefused = status === 400 || html.includes('does not agree with the chain');
      expect({ path: path.join('.'), isRefused }).toEqual({ path: path.join('.'), isRefused: true });
    }
    const wrongSum = sealReceipt(world.ctx.config, {
      ...cut.document,
      owed: { baseUnits: String(3n * PRICE), decimal: '15.00' },
    } as ReceiptDocument);
    expect((await compare(JSON.stringify({ ...wrongSum, later: null }))).html).toContain('does not agree');
  });

  it('asks to try again while the network cannot be read', async () => {
    world.setFaults({ nodes: { '*': { down: true } } });
    onTestFinished(() => world.setFaults({ nodes: { '*': { down: false } } }));
    const check = await get(`${second.url}/check`);
    const answers = [await compare(await textOf(second)), { status: check.status, html: await check.text() }];
    for (const { status, html } of answers) {
      expect(status).toBe(503);
      expect(html).toContain('The network cannot be read now. Try again in a moment.');
    }
  });

  it('any changed digit or word is refused', async () => {
    const text = await textOf(second);
    const file = JSON.parse(text) as Record<string, unknown>;
    const paths = pathsOf({ receipt: file.receipt, seal: file.seal });
    expect(paths.length).toBeGreaterThan(30);
    for (const path of paths) {
      const { status, html } = await compare(JSON.stringify(alter(file, path)));
      const isRefused = status === 400 || html.includes('does not agree with the chain');
      expect({ path: path.join('.'), isRefused }).toEqual({ path: path.join('.'), isRefused: true });
    }
  });

  it('a forger with another key is refused by the chain or by the key of the service', async () => {
    const file = readReceiptFile(await textOf(second));
    const forged = (change: (document: ReceiptDocument) => ReceiptDocument) =>
      sealReceipt({ secretKey: new Uint8Array(32) }, change(structuredClone(file.receipt)));
    const onChain: ((document: ReceiptDocument) => ReceiptDocument)[] = [
      (d) => ({ ...d, amount: { ...d.amount, baseUnits: '50000000', decimal: '50.00' } }),
      (d) => ({ ...d, amount: { ...d.amount, decimals: 5, decimal: '50.00' } }),
      (d) => ({ ...d, paidAt: new Date(Date.parse(d.paidAt) + 2 * DAY * 1_000).toISOString() }),
      (d) => ({ ...d, seller: { ...d.seller, wallet: customer.wallet.address } }),
      (d) => ({ ...d, buyer: { ...d.buyer, wallet: world.merchantWallet.address } }),
      (d) => ({ ...d, chain: { ...d.chain, slot: `${BigInt(d.chain.slot) + 1n}` } }),
      (d) => ({ ...d, chain: { ...d.chain, signature: first.document.chain.signature } }),
      (d) => ({ ...d, chain: { ...d.chain, eventIndex: d.chain.eventIndex + 1 } }),
      (d) => ({ ...d, chain: { ...d.chain, genesisHash: '4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY' } }),
    ];
    const path = join(folder, 'forged.json');
    const disguised = forged((d) => ({
      ...d,
      seller: { ...d.seller, name: 'Acme\n\u001b[2JThe receipt agrees with the chain.\u001b[8m' },
      amount: { ...d.amount, baseUnits: '50000000', decimal: '50.00' },
    }));
    await writeFile(path, JSON.stringify(disguised));
    const { code, stdout } = await runDues(['verify', path, ...rpc()]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining('does not agree') });
    // Texts of the receipt start no new line and contain no control sequence of the terminal.
    expect(stdout.split('\n')).not.toContain('The receipt agrees with the chain.');
    expect(stdout).not.toContain('\u001b[2J');
    const { verifyReceipt } = await import('../../src/domain/billing/receipt/verify-receipt.ts');
    for (const change of onChain) {
      const verdict = await verifyReceipt(world.chain, forged(change));
      expect({ change: String(change), agrees: verdict.agrees }).toEqual({
        change: String(change),
        agrees: false,
      });
    }
    const renamed = forged((d) => ({ ...d, number: 3 }));
    const renamedPath = join(folder, 'renamed.json');
    await writeFile(renamedPath, JSON.stringify({ ...renamed, later: { received: '0', refunds: [] } }));
    const unconfirmed = await runDues(['verify', renamedPath, ...rpc()]);
    expect({ ...unconfirmed, stderr: '' }).toMatchObject({
      code: 3,
      stdout: expect.stringContaining('Not checked: who signed it.'),
    });
    expect(unconfirmed.stdout).toContain('Not checked: "later"');
    expect(unconfirmed.stdout).not.toContain('receipt agrees');
    expect((await verifyReceipt(world.chain, renamed, file.seal.publicKey)).agrees).toBe(false);
    expect((await compare(JSON.stringify(renamed))).html).toContain('does not agree with the chain');
  });

  it('a text that is no receipt, or is too long, is refused with a message', async () => {
    const unsigned = JSON.stringify({ ...JSON.parse(await textOf(second)), note: 'not signed' });
    for (const text of ['', '{', '[]', JSON.stringify({ receipt: {} }), 'x'.repeat(20_001), unsigned]) {
      const { status, html } = await compare(text);
      expect({ status, hasAlert: /role="alert"/.test(html) }).toEqual({ status: 400, hasAlert: true });
    }
    const { code, stderr } = await runDues(['verify', join(folder, 'none.json')]);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining('none.json cannot be read'),
    });
  });
});

describe('numbers', () => {
  it('have no gap with eight workers, two of which lose their connection', async () => {
    await world.stopWorkers();
    const { ctx, scope } = world;
    const { merchant } = await createMerchant(ctx, {
      companyName: 'Many',
      walletAddress: namedAddress('many'),
    });
    const merchants = [scope.merchantId, merchant.id];
    const before = await ctx.db.receipt.count({ where: scope });
    await createPayments(merchants, COUNT);
    const databases = Array.from({ length: 8 }, () => connectDb(ctx.config.databaseUrl));
    let failures = 0;
    const countMissing = () =>
      ctx.db.payment.count({ where: { status: 'SUCCEEDED', finalized: true, receiptNumber: null } });
    const work = databases.map((db) => async () => {
      while ((await countMissing()) > 0) {
        await issueMissingReceipts({ ...ctx, db }, 'TEST').catch(() => {
          failures += 1;
        });
      }
    });
    await disconnectTwoOf(work);
    await Promise.all(databases.map((db) => db.$disconnect()));
    expect(failures).toBeGreaterThanOrEqual(2);
    for (const merchantId of merchants) {
      const where = { merchantId, environment: 'TEST' as const };
      const receipts = await ctx.db.receipt.findMany({ where, orderBy: { number: 'asc' } });
      const count = COUNT + (merchantId === scope.merchantId ? before : 0);
      expect(receipts.map(({ number }) => number)).toEqual(
        Array.from({ length: count }, (_, index) => index + 1),
      );
      expect(new Set(receipts.map(({ paymentId }) => paymentId)).size).toBe(count);
      for (const { number, document } of receipts) expect(document).toMatchObject({ number });
    }
    await world.startWorkers();
  });

  it('are given out until no payment is without one, a few in each call', async () => {
    await world.stopWorkers();
    const { ctx, scope } = world;
    const callThrice = async (issue: () => Promise<boolean>) => [await issue(), await issue(), await issue()];
    await createPayments([scope.merchantId], 5, 40_000);
    expect(await callThrice(() => issueMissingReceipts(ctx, 'TEST', 2))).toEqual([true, true, false]);
    await createPayments([scope.merchantId], 5, 41_000);
    await moveToTransactionOf(first, 41_000);
    expect(await callThrice(() => finalizePayments(ctx, 'TEST', 2))).toEqual([true, true, false]);
    const where = { ...scope, number: { gt: 50_000, lt: 60_000 } };
    expect(
      await ctx.db.payment.count({ where: { ...where, finalized: true, receiptNumber: { gt: 0 } } }),
    ).toBe(10);
    await world.startWorkers();
  });

  it('continue after a payment that cannot be read, which gets its receipt later', async () => {
    await world.stopWorkers();
    const { ctx, scope } = world;
    await createPayments([scope.merchantId], 3, 50_000);
    const where = { ...scope, signature: { startsWith: 'many ' }, receiptNumber: null };
    const [unreadable, ...others] = await ctx.db.payment.findMany({ where, orderBy: { number: 'asc' } });
    const id = unreadable?.id ?? '';
    // The period ends after the year 9999, which a receipt cannot state.
    await ctx.db.payment.update({
      where: { id },
      data: { dueAt: new Date('9999-12-31T23:59:59Z'), finalized: false },
    });
    const issue = () => issueReceipts(ctx, 'TEST', [id, ...others.map((payment) => payment.id)]);
    const { last } = await counterOf(scope);
    await issue();
    expect(
      await ctx.db.receipt.count({ where: { paymentId: { in: others.map((payment) => payment.id) } } }),
    ).toBe(2);
    expect(await ctx.db.payment.findUniqueOrThrow({ where: { id } })).toMatchObject({
      finalized: true,
      receiptNumber: null,
    });
    await ctx.db.payment.update({ where: { id }, data: { dueAt: new Date() } });
    await issueMissingReceipts(ctx, 'TEST');
    expect(await ctx.db.receipt.count({ where: { paymentId: id } })).toBe(0);
    await world.jump(3_601);
    await issueMissingReceipts(ctx, 'TEST');
    expect(await ctx.db.receipt.findUniqueOrThrow({ where: { paymentId: id } })).toMatchObject({
      number: last + 3,
    });
    // A worker that is late finds the receipts of another one.
    await issue();
    expect((await counterOf(scope)).last).toBe(last + 3);
    await world.startWorkers();
  });

  it('are not issued for a payment that another transaction pays since it was read', async () => {
    await world.stopWorkers();
    const { ctx, scope } = world;
    await createPayments([scope.merchantId], 1, 70_000);
    const { id } = await ctx.db.payment.findFirstOrThrow({
      where: { ...scope, signature: { startsWith: 'many ' }, receiptNumber: null },
    });
    const { last } = await counterOf(scope);
    // It is reversed and paid again between the read and the transaction that issues receipts.
    const db: typeof ctx.db = Object.create(ctx.db, {
      $transaction: {
        value: async (...args: Parameters<typeof ctx.db.$transaction>) => {
          await ctx.db.payment.update({ where: { id }, data: { signature: 'paid again' } });
          return ctx.db.$transaction(...args);
        },
      },
    });
    await issueReceipts({ ...ctx, db }, 'TEST', [id]);
    expect(await ctx.db.receipt.count({ where: { paymentId: id } })).toBe(0);
    expect(await ctx.db.payment.findUniqueOrThrow({ where: { id } })).toMatchObject({ receiptNumber: null });
    expect((await counterOf(scope)).last).toBe(last);
    await ctx.db.payment.delete({ where: { id } });
    await world.startWorkers();
  });

  const counterOf = (merchantId_environment: Scope) =>
    world.ctx.db.receiptCounter.findUniqueOrThrow({ where: { merchantId_environment } });

  const COUNT = 1_200;

  /**
   * Locks the counters, so that the workers wait for them with their payments locked, and ends the
   * database connections of two. Resolves when all workers have ended.
   */
  async function disconnectTwoOf(workers: readonly (() => Promise<void>)[]): Promise<void> {
    const working = await world.ctx.db.$transaction(
      async (tx) => {
        await tx.$executeRaw`SELECT FROM "ReceiptCounter" FOR UPDATE`;
        const runs = workers.map((run) => run());
        let ended = 0;
        await world.until('two connections have ended', async () => {
          const rows = await world.ctx.db.$queryRaw<object[]>`
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%"ReceiptCounter"%' LIMIT 1`;
          ended += rows.length;
          return ended === 2;
        });
        return { runs };
      },
      { timeout: 60_000 },
    );
    await Promise.all(working.runs);
  }

  /** Lets the payments after number 10,000 + `after` be transfers of a final transaction, and not final yet. */
  async function moveToTransactionOf({ document: { chain } }: ReceiptRow, after: number): Promise<void> {
    const { db } = world.ctx;
    await db.$executeRaw`
      UPDATE "ChainTransfer" SET "signature" = ${chain.signature}, "index" = 100 - "periodStart" - ${after}::int
      WHERE "periodStart" < -${after}::int AND "signature" LIKE 'many %'`;
    await db.$executeRaw`
      UPDATE "Payment" SET "signature" = ${chain.signature}, "finalized" = false
      WHERE "periodStart" < -${after}::int AND "signature" LIKE 'many %'`;
  }

  /** Creates final payments without receipts, as a worker of the previous release leaves them. */
  async function createPayments(merchants: readonly string[], count: number, first = 0): Promise<void> {
    const { db } = world.ctx;
    const { id } = await db.subscription.findFirstOrThrow({ where: { address: customer.id } });
    for (const merchantId of merchants) {
      await db.$executeRaw`
        WITH paid AS (
          INSERT INTO "Payment" ("id", "merchantId", "environment", "subscriptionId", "periodStart", "dueAt", "amount",
            "status", "number", "signature", "finalized", "paidAt", "createdAt")
          SELECT gen_random_uuid(), ${merchantId}::uuid, 'TEST', ${id}::uuid, -n - ${merchants.indexOf(merchantId)} * 10000,
            now(), 5, 'SUCCEEDED', 10000 + n + ${merchants.indexOf(merchantId)} * 10000, 'many ' || n, true, now(), now()
          FROM generate_series(${first}::int + 1, ${first}::int + ${count}::int) n
          RETURNING "id", "signature", "periodStart")
        INSERT INTO "ChainTransfer" ("environment", "signature", "index", "slot", "subscriptionAddress", "planAddress",
          "amount", "periodStart", "paymentId")
        SELECT 'TEST', "signature", ${merchants.indexOf(merchantId)}, 1, 'many', 'many', 5, "periodStart", "id" FROM paid`;
    }
  }
});

type Path = readonly (string | number)[];

/** The paths of all values in JSON. */
function pathsOf(value: unknown, path: Path = []): Path[] {
  if (value === null || typeof value !== 'object') return [path];
  return Object.entries(value).flatMap(([name, child]) => pathsOf(child, [...path, name]));
}

/** The same JSON with one value changed in one digit or letter. */
function alter(value: unknown, [name, ...rest]: Path): unknown {
  if (name === undefined) return change(value);
  if (Array.isArray(value)) return value.with(Number(name), alter(value[Number(name)], rest));
  const object = value as Record<string, unknown>;
  return { ...object, [name]: alter(object[name], rest) };
}

function change(value: unknown): unknown {
  if (typeof value === 'number') return value === 255 ? 254 : value + 1;
  if (typeof value !== 'string') return 'x';
  const digit = value.search(/\d/);
  const index = digit === -1 ? value.length - 1 : digit;
  const letter = value[index] === '1' ? '2' : '1';
  return `${value.slice(0, index)}${letter}${value.slice(index + 1)}`;
}
