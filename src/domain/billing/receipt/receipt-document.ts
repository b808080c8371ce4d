import { z } from 'zod';
import { Environment } from '../../../generated/prisma/client.ts';

const time = z.iso.datetime();
const wholeNumber = z.string().regex(/^\d{1,20}$/);
/** Any text of a receipt. */
export const receiptText = z.string().max(2_000);
const seconds = z.string().regex(/^-?\d{1,20}$/);

const party = {
  /** Name, postal address and tax id for receipts; each is null if it is not set. */
  legalName: receiptText.nullable(),
  address: receiptText.nullable(),
  taxId: receiptText.nullable(),
  email: receiptText.nullable(),
  /** Base58. */
  wallet: receiptText,
};

const content = {
  type: z.literal('dues.receipt'),
  /** Consecutive for each seller and environment, from 1. */
  number: z.int().positive(),
  environment: z.enum(Environment),
  issuedAt: time,
  /** Time of the transfer's block. */
  paidAt: time,
  paymentId: z.uuid(),
  /** Number among the subscription's successful payments, from 1. */
  paymentNumber: z.int().positive(),
  /** The billing period that the payment is for. */
  period: z.strictObject({ from: time, to: time }),
  plan: z.strictObject({ id: receiptText, name: receiptText }),
  amount: z.strictObject({
    baseUnits: wholeNumber,
    /** Decimals of the token; null if the cluster no longer has the mint. */
    decimals: z.int().min(0).max(255).nullable(),
    /** `12.50`; in base units without decimals. */
    decimal: receiptText,
    /** Null for a token without a known name. */
    symbol: receiptText.nullable(),
    mint: receiptText,
  }),
  seller: z.strictObject({ name: receiptText, ...party }),
  buyer: z.strictObject(party),
  /** The proof: the transfer event of the program on chain. */
  chain: z.strictObject({
    cluster: z.enum(['solana:mainnet', 'solana:devnet', 'solana:localnet']),
    genesisHash: receiptText,
    signature: receiptText,
    slot: wholeNumber,
    /** Index of the event among all inner instructions of the transaction. */
    eventIndex: z.int().min(0),
    program: receiptText,
    plan: receiptText,
    subscription: receiptText,
    /** Start of the period on chain, unix seconds. */
    periodStart: seconds,
  }),
};

/** An amount in the token of the receipt; below 0 for a reduction. */
const part = { baseUnits: z.string().regex(/^-?\d{1,20}$/), decimal: receiptText };

/**
 * The content of a receipt. It is stored when the receipt is issued, and never changes, so later
 * releases must read every version that was ever written.
 *
 * Version 1 has one amount: the plan's price, which was owed, paid and the limit. Version 2 has the
 * parts, and is issued only where they say more: docs/receipts.md.
 */
export const receiptDocument = z.discriminatedUnion('version', [
  z.strictObject({ version: z.literal(1), ...content }),
  z.strictObject({
    version: z.literal(2),
    ...content,
    /** What the payment consists of. The lines add up to `owed`; `amount` is what was paid. */
    lines: z.array(z.strictObject({ kind: receiptText, text: receiptText, ...part })).max(50),
    owed: z.strictObject(part),
    /** The most that the plan's account on chain allows in `seconds`. */
    limit: z.strictObject({ ...part, seconds: z.int().positive() }),
  }),
]);

export type ReceiptDocument = z.infer<typeof receiptDocument>;

/** The lines of a receipt. The payment of version 1 is one line with the name of its plan. */
export function linesOfReceipt(
  document: ReceiptDocument,
): readonly { readonly text: string; readonly decimal: string }[] {
  if (document.version === 2) return document.lines;
  return [{ text: document.plan.name, decimal: document.amount.decimal }];
}
