import { address } from '@solana/kit';
import type { AppContext } from '../../app.ts';
import type { Chain } from '../../chain/chain.ts';
import { mintDecimals } from '../../chain/mint-decimals.ts';
import { invalidRequest } from '../../errors.ts';
import type { Environment, Merchant, Plan } from '../../generated/prisma/client.ts';
import { type ComparePlan, comparePlan, type Difference } from './compare-plan.ts';

/** Which books: all where a field is left out. */
export interface BooksScope {
  readonly environment?: Environment | undefined;
  readonly merchantId?: string | undefined;
}

/** One merchant's books in one environment and asset. Amounts in base units. */
export interface MerchantAudit {
  readonly merchantId: string;
  readonly companyName: string;
  readonly environment: Environment;
  readonly mint: string;
  /** Digits behind the point. */
  readonly decimals: number;
  readonly chargedOnChain: bigint;
  readonly booked: bigint;
  readonly differences: readonly Difference[];
  /** Collected by the merchant himself from who never subscribed through dues. */
  readonly outside: bigint;
  /** Transactions that could not be read, and why: what they moved is not known. */
  readonly unreadable: ReadonlyMap<string, string>;
}

export interface AuditHooks {
  /** Told what was read of a plan's history before the books are compared with it. */
  readonly onRead?: (chain: Chain, ...read: Parameters<ComparePlan['onRead']>) => Promise<void>;
}

/** Whether there is nothing that somebody has to look at. */
export function isSound({
  differences,
  unreadable,
}: Pick<MerchantAudit, 'differences' | 'unreadable'>): boolean {
  return differences.length === 0 && unreadable.size === 0;
}

/**
 * Compares what was charged on chain with what is booked, merchant by merchant. The chain's side comes from the
 * transactions of each plan's address alone, so that a mirror or a ledger that is wrong is found too.
 *
 * @throws BillingError invalid_request, param `merchant` or `environment`: there is none such
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
    throw invalidRequest('merchant', `There is no merchant ${merchantId}.`);
  }
  for (const chain of Object.values(ctx.chain)) {
    if (environment && chain.environment !== environment) continue;
    for (const merchant of merchants) {
      const plans = await ctx.db.plan.findMany({
        where: { merchantId: merchant.id, environment: chain.environment },
        orderBy: { id: 'asc' },
      });
      for (const [mint, ofMint] of Map.groupBy(plans, (plan) => plan.mint)) {
        yield await auditMint(ctx, chain, { merchant, mint, plans: ofMint }, hooks);
      }
    }
  }
}

async function auditMint(
  ctx: Pick<AppContext, 'db'>,
  chain: Chain,
  { merchant, mint, plans }: { merchant: Merchant; mint: string; plans: readonly Plan[] },
  { onRead }: AuditHooks,
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
    differences.push(...compared.differences);
    for (const [signature, reason] of compared.unreadable) unreadable.set(signature, reason);
  }
  return {
    merchantId: merchant.id,
    companyName: merchant.companyName,
    environment: chain.environment,
    mint,
    decimals: await mintDecimals(chain, address(mint)),
    ...{ chargedOnChain, booked, outside, differences, unreadable },
  };
}
