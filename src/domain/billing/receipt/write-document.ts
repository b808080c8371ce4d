import { PROGRAM } from '../../../chain/accounts/addresses.ts';
import { toDecimal } from '../../catalog/money/decimal-amount.ts';
import { endOfPeriod, type PaidFacts } from './paid-facts.ts';
import type { ReceiptDocument } from './receipt-document.ts';

/** The document of a receipt. The payment has a transfer. */
export function writeDocument(facts: PaidFacts, number: number, issuedAt: Date): ReceiptDocument {
  const { transfer, asset, cluster, dueAt } = facts;
  if (!transfer) throw new Error(`payment ${facts.paymentId} has no transfer`);
  return {
    type: 'dues.receipt',
    version: 1,
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
