import { address } from '@solana/kit';
import type { AppContext } from '../../../app.ts';
import { mintDecimals } from '../../../chain/accounts/mint-decimals.ts';
import type { Chain } from '../../../chain/chain.ts';
import { invalidRequest } from '../../../errors.ts';
import type { Environment, Merchant, Plan } from '../../../generated/prisma/client.ts';
import { upToDate } from '../../chain-state/mirror/known-slot.ts';
import { type ComparePlan, comparePlan, type Difference } from './compare-plan.ts';
import { type CompareRefunds, compareRefunds, type RefundComparison } from './compare-refunds.ts';

/** The books to audit. An omitted field restricts nothing. */
export interface BooksScope {
  readonly environment?: Environment | undefined;
  readonly merchantId?: string | undefined;
}

/** One merchant's books in one environment and token. Amounts in base units. */
export interface MerchantAudit {
  readonly merchantId: string;
  readonly companyName: string;
  readonly environment: Environment;
  readonly mint: string;
  /** Decimals of the token. */
  readonly decimals: number;
  readonly chargedOnChain: bigint;
  readonly booked: bigint;
  readonly differences: readonly Difference[];
  /** Pulled by the merchant from wallets that never subscribed through dues. */
  readonly outside: bigint;
  readonly refunds: RefundComparison;
  /** Transactions that could not be read, with the reason: their transfers are unknown. */
  readonly unreadable: ReadonlyMap<string, string>;
}

export interface AuditHooks {
  /** Called with each part of a plan's history before the books are compared with it. */
  readonly onRead?: (chain: Chain, ...read: Parameters<ComparePlan['onRead']>) => Promise<void>;
  /** Called with the transfer of a refund that is not settled; returns true if it settled it. */
  readonly onMissingRefund?: CompareRefunds['onMissing'];
}

/** Whether nothing needs a person: no difference, no refund that was sent again. */
export function isSound({
  differences,
  refunds,
  unreadable,
}: Pick<MerchantAudit, 'differences' | 'refunds' | 'unreadable'>): boolean {
  const differ = differences.length > 0 || refunds.differences.length > 0;
  return !differ && refunds.sentAgain.length === 0 && unreadable.size === 0;
}

/**
 * Compares the transfers on chain with the settled payments and refunds, merchant by merchant. The
 * transfers come only from the transactions of each plan's address and of each refund's reference,
 * so a wrong mirror or ledger is found too.
 *
 * @throws BillingError invalid_request, param `merchant` or `environment`, if it does not exist
 */
export async function* auditBooks(
  ctx: Pick<AppContext, 'db' | 'chain'>,
  { environment, merchantId }: BooksScope,
  hooks: AuditHooks = {},
): AsyncGenerator<MerchantAudit> {
  if (environment && !ctx.chain[environment]) {
    throw invalidRequest('environment', `This configuration has no ${environment} environment.`);
  }
  const merchants = await ctx.db.merchant.findMany({
    where: { ...(merchantId && { id: merchantId }) },
    orderBy: { id: 'asc' },
  });
  if (merchantId && merchants.length === 0) {
    throw invalidRequest('merchant', `The merchant ${merchantId} does not exist.`);
  }
  for (const configuredChain of Object.values(ctx.chain)) {
    if (environment && configuredChain.environment !== environment) continue;
    // Reads at the known slot, because a node that is behind lacks the latest transfers.
    const chain = await upToDate(ctx, configuredChain);
    for (const merchant of merchants) {
      const plans = await ctx.db.plan.findMany({
        where: { merchantId: merchant.id, environment: chain.environment },
        orderBy: { id: 'asc' },
      });
      for (const [mint, plansOfMint] of Map.groupBy(plans, (plan) => plan.mint)) {
        yield await auditMint(ctx, chain, { merchant, mint, plans: plansOfMint }, hooks);
      }
    }
  }
}

async function auditMint(
  ctx: Pick<AppContext, 'db'>,
  chain: Chain,
  { merchant, mint, plans }: { merchant: Merchant; mint: string; plans: readonly Plan[] },
  { onRead, onMissingRefund }: AuditHooks,
): Promise<MerchantAudit> {
  let [chargedOnChain, booked, outside] = [0n, 0n, 0n];
  const differences: Difference[] = [];
  const unreadable = new Map<string, string>();
  for (const plan of plans) {
    const compared = await comparePlan(ctx, chain, {
      plan,
      onRead: async (transactions) => onRead?.(chain, transactions),
    });
    chargedOnChain += compared.chargedOnChain;
    booked += compared.booked;
    outside += compared.outside;
    // Pushed one by one, because the number of arguments of a call is limited.
    for (const difference of compared.differences) differences.push(difference);
    for (const [signature, reason] of compared.unreadable) unreadable.set(signature, reason);
  }
  const refunds = await compareRefunds(ctx, chain, {
    merchantId: merchant.id,
    mint,
    unreadable,
    onMissing: onMissingRefund,
  });
  return {
    merchantId: merchant.id,
    companyName: merchant.companyName,
    environment: chain.environment,
    mint,
    decimals: await mintDecimals(chain, address(mint)),
    chargedOnChain,
    booked,
    outside,
    refunds,
    differences,
    unreadable,
  };
}
