import { dateText, dateTimeText } from '../../catalog/money/date-text.ts';
import { toDecimal } from '../../catalog/money/decimal-amount.ts';
import { durationText } from '../../catalog/money/duration-text.ts';
import { oneLine } from '../../kernel/input/one-line.ts';
import { linesOfReceipt, type ReceiptDocument } from './receipt-document.ts';

/** The amounts of a payment since its receipt was issued, in base units. */
export interface ReceiptLater {
  /** The amount received for the same period since then. */
  readonly received: bigint;
  /** The refunds that have succeeded, first to last. */
  readonly refunds: readonly {
    readonly amount: bigint;
    readonly refundedAt: Date;
    readonly signature: string;
  }[];
}

type Fact = readonly [label: string, value: string];

/** A receipt in words, for its page and its PDF. */
export interface ReceiptTexts {
  readonly title: string;
  readonly date: string;
  readonly amount: string;
  /** Null in LIVE. */
  readonly testNote: string | null;
  /** Lines of the seller and the buyer, the name first. */
  readonly seller: readonly string[];
  readonly buyer: readonly string[];
  readonly facts: readonly Fact[];
  /** The proof of the payment on chain. */
  readonly proof: readonly Fact[];
  /** The amounts since the receipt was issued. */
  readonly later: readonly Fact[];
}

/** A receipt in one line, with its network and a note in test mode. */
export function receiptSentence(document: ReceiptDocument): string {
  const { title, amount, testNote } = receiptTexts(document, { received: 0n, refunds: [] });
  const payment = `${document.seller.name}: ${amount} on ${networkText(document)}.`;
  return oneLine(`${title} of ${payment} ${testNote ?? ''}`);
}

const networkText = ({ chain }: ReceiptDocument) => chain.cluster.replace('solana:', 'Solana ');

/** The texts of a receipt and of the later amounts. */
export function receiptTexts(document: ReceiptDocument, { received, refunds }: ReceiptLater): ReceiptTexts {
  const { amount, seller, buyer, chain, period } = document;
  const textOf = (baseUnits: bigint) => amountText(amount, toDecimal(baseUnits, amount.decimals ?? 0));
  return {
    title: `Receipt ${document.number}`,
    date: dateText(new Date(document.paidAt)),
    amount: amountText(amount, amount.decimal),
    testNote: document.environment === 'TEST' ? 'Test mode: no real money moved.' : null,
    seller: linesOf(seller.legalName ?? seller.name, seller),
    buyer: linesOf(buyer.legalName, buyer),
    facts: [
      ['Plan', document.plan.name],
      ['Period', `${dateText(new Date(period.from))} to ${dateText(new Date(period.to))}`],
      ['Payment', `number ${document.paymentNumber} of the subscription`],
      ['Paid', dateTimeText(new Date(document.paidAt))],
      ['Receipt issued', dateTimeText(new Date(document.issuedAt))],
      ...(document.version === 2 ? [['Limit', limitText(document)] as const] : []),
      ...linesOfReceipt(document).map(({ text, decimal }) => [text, amountText(amount, decimal)] as const),
      ...(document.version === 2 && document.owed.baseUnits !== amount.baseUnits
        ? [['Owed', amountText(amount, document.owed.decimal)] as const]
        : []),
    ],
    proof: [
      ['Network', networkText(document)],
      ['Transaction', chain.signature],
      ['Slot', chain.slot],
      ['Paid from the wallet', buyer.wallet],
      ['To the wallet', seller.wallet],
      ['Subscription', chain.subscription],
      ['Token', amount.mint],
    ],
    later: [
      ...(received > 0n ? [['Received later for the same period', textOf(received)] as const] : []),
      ...refunds.map(
        (refund) => [`Refunded on ${dateText(refund.refundedAt)}`, textOf(refund.amount)] as const,
      ),
    ],
  };
}

/** `at most 50.00 USDC every 30 days`. */
function limitText({ amount, limit }: Extract<ReceiptDocument, { readonly version: 2 }>): string {
  return `at most ${amountText(amount, limit.decimal)} every ${durationText(limit.seconds)}`;
}

type Amount = ReceiptDocument['amount'];

function amountText({ symbol, decimals, mint }: Amount, text: string): string {
  return `${text} ${decimals === null ? 'base units of ' : ''}${symbol ?? (decimals === null ? mint : 'tokens')}`;
}

function linesOf(
  name: string | null,
  { address, taxId, email }: { address: string | null; taxId: string | null; email: string | null },
): string[] {
  return [
    ...(name === null ? [] : [name]),
    ...(address?.split('\n') ?? []),
    ...(taxId === null ? [] : [`Tax ID: ${taxId}`]),
    ...(email === null ? [] : [email]),
  ];
}
