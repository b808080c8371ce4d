import type { Config } from '../../../config.ts';
import { openSignedId, signId } from '../../../secrets.ts';

const PURPOSE = 'receipt';

type LinkConfig = Pick<Config, 'publicUrl' | 'secretKey'>;

/**
 * The URL of the public page of a payment's receipt, which cannot be guessed. Until the receipt is
 * issued, the page says that it is not issued yet.
 */
export function receiptUrl(config: LinkConfig, paymentId: string): string {
  return config.publicUrl + receiptPath(config, paymentId);
}

/** The path of that URL, for links between our pages. */
export function receiptPath({ secretKey }: Pick<Config, 'secretKey'>, paymentId: string): string {
  return `/receipts/${signId(secretKey, PURPOSE, paymentId)}`;
}

/** The URL of the signed file of a payment's receipt, which `dues verify` reads. */
export function receiptJsonUrl(config: LinkConfig, paymentId: string): string {
  return `${receiptUrl(config, paymentId)}/receipt.json`;
}

/** The payment of a link; undefined for any other text. */
export function paymentOfReceiptLink({ secretKey }: LinkConfig, token: string): string | undefined {
  return openSignedId(secretKey, PURPOSE, token);
}
