import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import type { PaidFacts } from '../../../../src/domain/billing/receipt/paid-facts.ts';
import { receiptDocument } from '../../../../src/domain/billing/receipt/receipt-document.ts';
import {
  isUnaltered,
  readReceiptFile,
  sealReceipt,
} from '../../../../src/domain/billing/receipt/receipt-file.ts';
import { receiptTexts } from '../../../../src/domain/billing/receipt/receipt-texts.ts';
import { writeDocument } from '../../../../src/domain/billing/receipt/write-document.ts';

const NOTHING_LATER = { received: 0n, refunds: [] };
const MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';

/** A file as the release before version 2 wrote and signed it. */
const VERSION_1 = `{"receipt":{"type":"dues.receipt","version":1,"number":12,"environment":"TEST","issuedAt":"2026-11-01T12:04:27.310Z","paidAt":"2026-11-01T12:04:12.000Z","paymentId":"0190b7c4-5b1e-7c3a-9f64-2f6f0f7f0a12","paymentNumber":1,"period":{"from":"2026-11-01T12:04:12.000Z","to":"2026-12-01T12:04:12.000Z"},"plan":{"id":"pro","name":"Pro"},"amount":{"baseUnits":"12500000","decimals":6,"decimal":"12.50","symbol":"USDC","mint":"${MINT}"},"seller":{"name":"Acme","legalName":null,"address":null,"taxId":null,"email":null,"wallet":"2NTTiyZL6Tc9G51nXyLwBWYvdQ4RTqHXAgnThAqCWZPa"},"buyer":{"legalName":null,"address":null,"taxId":null,"email":"ada@example.com","wallet":"8Yg3ghv1"},"chain":{"cluster":"solana:localnet","genesisHash":"x","signature":"5","slot":"361204417","eventIndex":0,"program":"De1egAFMkMWZSN5rYXRj9CAdheBamobVNubTsi9avR44","plan":"p","subscription":"s","periodStart":"1793534652"}},"seal":{"publicKey":"B7UOlHj4ibXabL2CbA4zEzYU_QA9gO-FXuz-tDRJRlk","signature":"kttRqatILYwPKNHGZgzwprQaux5IPd9gP3X3yA4t25VXd-H9GehYEp52N8xWnQa6dHCQX6-BaH1mLDksl9cBCQ"}}`;

const paidAt = new Date('2026-11-01T12:04:12.000Z');
const FACTS: PaidFacts = {
  paymentId: '0190b7c4-5b1e-7c3a-9f64-2f6f0f7f0a12',
  merchantId: 'm',
  environment: 'TEST',
  customerId: 'c',
  signature: '5',
  paymentNumber: 1,
  paidAt,
  dueAt: paidAt,
  periodStart: 1_793_534_652n,
  subscription: 's',
  payerWallet: '8Yg3ghv1',
  planId: 'pro',
  planName: 'Pro',
  planAddress: 'p',
  mint: MINT as Address,
  intervalSeconds: 2_628_000,
  companyName: 'Acme',
  legalName: null,
  postalAddress: null,
  sellerTaxId: null,
  supportEmail: null,
  sellerWallet: '2NTTiyZL6Tc9G51nXyLwBWYvdQ4RTqHXAgnThAqCWZPa',
  email: 'ada@example.com',
  billingName: null,
  billingAddress: null,
  buyerTaxId: null,
  owed: 12_500_000n,
  lines: [{ kind: 'FLAT', text: 'Pro', amount: 12_500_000n }],
  limit: 12_500_000n,
  limitSeconds: 2_628_000,
  transfer: { amount: 12_500_000n, slot: 361_204_417n, eventIndex: 0 },
  asset: { symbol: 'USDC', decimals: 6 },
  cluster: { chain: 'solana:localnet', genesisHash: 'x' },
};
const CUT = {
  limit: 50_000_000n,
  owed: 50_000_000n,
  lines: [
    { kind: 'FLAT', text: 'Pro', amount: 61_200_000n },
    { kind: 'OVER_LIMIT', text: 'Over the limit', amount: -11_200_000n },
  ],
  transfer: { amount: 50_000_000n, slot: 1n, eventIndex: 0 },
};

const write = (facts: Partial<PaidFacts>) => writeDocument({ ...FACTS, ...facts }, 12, paidAt);

describe('a receipt', () => {
  it('of the release before is read, shown as one line, and its signature holds', () => {
    const file = readReceiptFile(VERSION_1);
    expect(isUnaltered(file)).toBe(true);
    expect(receiptTexts(file.receipt, NOTHING_LATER).facts.at(-1)).toEqual(['Pro', '12.50 USDC']);
    const altered = readReceiptFile(VERSION_1.replace('"decimal":"12.50"', '"decimal":"12.51"'));
    expect(isUnaltered(altered)).toBe(false);
  });

  it.each<[string, Partial<PaidFacts>, 1 | 2]>([
    ['whose only line is its price', {}, 1],
    ['of a release without lines', { lines: null }, 1],
    ['of which less was paid than owed', { transfer: { amount: 1n, slot: 1n, eventIndex: 0 } }, 2],
    ['with a limit above its price', { limit: 50_000_000n }, 2],
    ['with another line', { lines: [{ kind: 'EXTRA', text: 'Setup', amount: 12_500_000n }] }, 2],
    ['that was cut at the limit', CUT, 2],
  ])('of a payment %s has the oldest version that can say it', (_, facts, version) => {
    const document = write(facts);
    expect(document.version).toBe(version);
    expect(receiptDocument.parse(JSON.parse(JSON.stringify(document)))).toEqual(document);
  });

  it('shows lines, what was owed, and the limit', () => {
    const document = write({ ...CUT, transfer: { amount: 40_000_000n, slot: 1n, eventIndex: 0 } });
    const { facts, amount } = receiptTexts(document, NOTHING_LATER);
    expect(amount).toBe('40.00 USDC');
    expect(facts.slice(-4)).toEqual([
      ['Limit', 'at most 50.00 USDC every month'],
      ['Pro', '61.20 USDC'],
      ['Over the limit', '-11.20 USDC'],
      ['Owed', '50.00 USDC'],
    ]);
  });

  it('is signed with its lines', () => {
    const file = sealReceipt({ secretKey: Buffer.alloc(32, 7) }, write(CUT));
    const text = JSON.stringify(file);
    expect(isUnaltered(readReceiptFile(text))).toBe(true);
    expect(isUnaltered(readReceiptFile(text.replace('61200000', '61200001')))).toBe(false);
  });
});
