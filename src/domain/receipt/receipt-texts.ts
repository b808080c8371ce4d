import { toDecimal } from '../money/decimal-amount.ts';
import { dayText, momentText } from '../money/moment-text.ts';
import type { ReceiptDocument } from './receipt-document.ts';

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
  /** What proves the payment on chain. */
  readonly proof: readonly Fact[];
  /** Amounts that changed after the receipt was given. */
  readonly later: readonly Fact[];
}

/** @param receivedLater what was received for the same period after the receipt was given */
export function receiptTexts(document: ReceiptDocument, receivedLater: bigint): ReceiptTexts {
  const { amount, seller, buyer, chain, period } = document;
  return {
    title: `Receipt ${document.number}`,
    date: dayText(new Date(document.paidAt)),
    amount: amountText(amount, amount.decimal),
    testNote: document.environment === 'TEST' ? 'Test mode: no real money moved.' : null,
    seller: linesOf(seller.legalName ?? seller.name, seller),
    buyer: linesOf(buyer.legalName, buyer),
    facts: [
      ['Plan', document.plan.name],
      ['Period', `${dayText(new Date(period.from))} to ${dayText(new Date(period.to))}`],
      ['Payment', `number ${document.paymentNumber} of the subscription`],
      ['Paid', momentText(new Date(document.paidAt))],
      ['Receipt given', momentText(new Date(document.issuedAt))],
    ],
    proof: [
      ['Network', chain.cluster.replace('solana:', 'Solana ')],
      ['Transaction', chain.signature],
      ['Slot', chain.slot],
      ['Paid from the wallet', buyer.wallet],
      ['To the wallet', seller.wallet],
      ['Subscription', chain.subscription],
      ['Token', amount.mint],
    ],
    later:
      receivedLater > 0n
        ? [['Received later for the same period', amountText(amount, decimalOf(amount, receivedLater))]]
        : [],
  };
}

type Amount = ReceiptDocument['amount'];

const decimalOf = ({ decimals }: Amount, baseUnits: bigint) => toDecimal(baseUnits, decimals ?? 0);

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
    ...(taxId === null ? [] : [`Tax id: ${taxId}`]),
    ...(email === null ? [] : [email]),
  ];
}
