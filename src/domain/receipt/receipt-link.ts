import type { Config } from '../../config.ts';
import { openSignedId, signId } from '../../secrets.ts';

const USE = 'receipt';

type Linking = Pick<Config, 'publicUrl' | 'secretKey'>;

/**
 * The URL of the public page of a payment's receipt, which cannot be guessed. Before the receipt is
 * issued, the page says so.
 */
export function receiptUrl({ publicUrl, secretKey }: Linking, paymentId: string): string {
  return `${publicUrl}/receipts/${signId(secretKey, USE, paymentId)}`;
}

/** The signed file of a payment's receipt, which `dues verify` reads. */
export function receiptJsonUrl(config: Linking, paymentId: string): string {
  return `${receiptUrl(config, paymentId)}/receipt.json`;
}

/** The payment of a link; undefined for any other text. */
export function paymentOfReceiptLink({ secretKey }: Linking, token: string): string | undefined {
  return openSignedId(secretKey, USE, token);
}
