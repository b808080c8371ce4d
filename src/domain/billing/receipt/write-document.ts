import { PROGRAM } from '../../../chain/accounts/addresses.ts';
import { toDecimal } from '../../catalog/money/decimal-amount.ts';
import { endOfPeriod, type PaidFacts } from './paid-facts.ts';
import type { ReceiptDocument } from './receipt-document.ts';

type Content = Omit<Extract<ReceiptDocument, { readonly version: 1 }>, 'version'>;

/**
 * The document of a receipt. The payment has a transfer. Version 2 is written only if version 1
 * cannot say it: processes of 0.2.0, which may run beside this one, cannot read version 2, and a
 * receipt is also read in lists.
 */
export function writeDocument(facts: PaidFacts, number: number, issuedAt: Date): ReceiptDocument {
  const content = contentOf(facts, number, issuedAt);
  const { owed, limit, limitSeconds: seconds, planName, transfer, asset } = facts;
  const lines = facts.lines ?? [{ kind: 'FLAT', text: planName, amount: owed }];
  const isPlain = lines.length === 1 && lines[0]?.kind === 'FLAT';
  if (isPlain && owed === transfer?.amount && owed === limit) return { version: 1, ...content };
  const partOf = (amount: bigint) => ({
    baseUnits: String(amount),
    decimal: toDecimal(amount, asset.decimals ?? 0),
  });
  return {
    version: 2,
    ...content,
    lines: lines.map(({ kind, text, amount }) => ({ kind, text, ...partOf(amount) })),
    owed: partOf(owed),
    limit: { ...partOf(limit), seconds },
  };
}

function contentOf(facts: PaidFacts, number: number, issuedAt: Date): Content {
  const { transfer, asset, cluster, dueAt } = facts;
  if (!transfer) throw new Error(`payment ${facts.paymentId} has no transfer`);
  return {
    type: 'dues.receipt',
    number,
    environment: facts.environment,
    issuedAt: issuedAt.toISOString(),
    paidAt: facts.paidAt.toISOString(),
    paymentId: facts.paymentId,
    paymentNumber: facts.paymentNumber,
    period: {
      from: dueAt.toISOString(),
      to: endOfPeriod(facts).toISOString(),
    },
    plan: { id: facts.planId, name: facts.planName },
    amount: {
      baseUnits: String(transfer.amount),
      decimals: asset.decimals,
      decimal: toDecimal(transfer.amount, asset.decimals ?? 0),
      symbol: asset.symbol,
      mint: facts.mint,
    },
    seller: {
      name: facts.companyName,
      legalName: facts.legalName,
      address: facts.postalAddress,
      taxId: facts.sellerTaxId,
      email: facts.supportEmail,
      wallet: facts.sellerWallet,
    },
    buyer: {
      legalName: facts.billingName,
      address: facts.billingAddress,
      taxId: facts.buyerTaxId,
      email: facts.email,
      wallet: facts.payerWallet,
    },
    chain: {
      cluster: cluster.chain,
      genesisHash: cluster.genesisHash,
      signature: facts.signature,
      slot: String(transfer.slot),
      eventIndex: transfer.eventIndex,
      program: PROGRAM,
      plan: facts.planAddress,
      subscription: facts.subscription,
      periodStart: String(facts.periodStart),
    },
  };
}
