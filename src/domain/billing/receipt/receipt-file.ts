import { z } from 'zod';
import type { Config } from '../../../config.ts';
import { invalidRequest } from '../../../errors.ts';
import { isSealed, type Seal, seal } from '../../../secrets.ts';
import { oneLine } from '../../kernel/input/one-line.ts';
import { type ReceiptDocument, receiptDocument } from './receipt-document.ts';

const PURPOSE = 'receipt';
/** Maximum characters of a receipt as JSON. The longest that dues issues has about 6,000. */
export const MAX_RECEIPT_TEXT = 20_000;

const file = z.strictObject({
  receipt: receiptDocument,
  seal: z.strictObject({ publicKey: z.string().max(100), signature: z.string().max(200) }),
  // The amounts since then, as the service adds them to the file. They are not signed.
  later: z.unknown().optional(),
});

/** A receipt with the signature of the service that issued it. */
export interface ReceiptFile {
  readonly receipt: ReceiptDocument;
  readonly seal: Seal;
}

/** A receipt from outside, which may have been altered. */
export interface PresentedReceipt extends ReceiptFile {
  /** Whether the file states later amounts, which are not signed. */
  readonly hasLater: boolean;
}

/** Signs a receipt. The same receipt always has the same signature. */
export function sealReceipt({ secretKey }: Pick<Config, 'secretKey'>, receipt: ReceiptDocument): ReceiptFile {
  return { receipt, seal: seal(secretKey, PURPOSE, canonical(receipt)) };
}

/** Whether the receipt has not changed since the holder of the key signed it. */
export function isUnaltered({ receipt, seal }: ReceiptFile): boolean {
  return isSealed(seal, canonical(receipt));
}

/** The key with which this service signs receipts. */
export function receiptKey({ secretKey }: Pick<Config, 'secretKey'>): string {
  return seal(secretKey, PURPOSE, '').publicKey;
}

/**
 * Reads a receipt from JSON.
 *
 * @throws BillingError invalid_request, param `receipt`
 */
export function readReceiptFile(text: string): PresentedReceipt {
  if (text.length > MAX_RECEIPT_TEXT) {
    throw invalidRequest('receipt', `receipt must have at most ${MAX_RECEIPT_TEXT} characters.`);
  }
  const parsed = file.safeParse(jsonOf(text));
  if (parsed.success) {
    const { receipt, seal, later } = parsed.data;
    return { receipt, seal, hasLater: later !== undefined };
  }
  const [issue] = parsed.error.issues;
  const where = issue?.path.join('.') || 'the file';
  const message = oneLine(issue?.message ?? '');
  throw invalidRequest('receipt', `This is not a receipt of dues: ${where} is wrong (${message}).`);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** JSON without spaces and with sorted names, which is the same however the text was stored. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    member !== null && typeof member === 'object' && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
