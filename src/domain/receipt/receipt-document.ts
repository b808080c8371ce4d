import { z } from 'zod';
import { Environment } from '../../generated/prisma/client.ts';

const moment = z.iso.datetime();
const whole = z.string().regex(/^\d{1,20}$/);
/** Any text of a receipt. */
export const receiptText = z.string().max(2_000);
const seconds = z.string().regex(/^-?\d{1,20}$/);

const party = {
  /** Name, postal address and tax id as given for receipts; null if none were given. */
  legalName: receiptText.nullable(),
  address: receiptText.nullable(),
  taxId: receiptText.nullable(),
  email: receiptText.nullable(),
  /** Base58. */
  wallet: receiptText,
};

/**
 * All that a receipt says. It is stored when the receipt is given, and never changed, so a later
 * version of this program must read every version that was ever written.
 */
export const receiptDocument = z.strictObject({
  type: z.literal('dues.receipt'),
  version: z.literal(1),
  /** Consecutive for each seller and environment, from 1. */
  number: z.int().positive(),
  environment: z.enum(Environment),
  issuedAt: moment,
  /** Time of the transfer's block. */
  paidAt: moment,
  paymentId: z.uuid(),
  /** Number among the subscription's successful payments, from 1. */
  paymentNumber: z.int().positive(),
  /** The billing period that the payment pays for. */
  period: z.strictObject({ from: moment, to: moment }),
  plan: z.strictObject({ id: receiptText, name: receiptText }),
  amount: z.strictObject({
    baseUnits: whole,
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
  /** What proves it: the transfer event of the program on chain. */
  chain: z.strictObject({
    cluster: z.enum(['solana:mainnet', 'solana:devnet', 'solana:localnet']),
    genesisHash: receiptText,
    signature: receiptText,
    slot: whole,
    /** Index of the event among all inner instructions of the transaction. */
    eventIndex: z.int().min(0),
    program: receiptText,
    plan: receiptText,
    subscription: receiptText,
    /** Start of the period on chain, unix seconds. */
    periodStart: seconds,
  }),
});

export type ReceiptDocument = z.infer<typeof receiptDocument>;
