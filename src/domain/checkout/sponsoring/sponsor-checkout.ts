import { address } from '@solana/kit';
import type { AppContext } from '../../../app.ts';
import { mintDecimals } from '../../../chain/accounts/mint-decimals.ts';
import type { Chain } from '../../../chain/chain.ts';
import { readRecentBlockHeight } from '../../../chain/rpc/send.ts';
import type { Approval } from '../../../chain/transactions/approval.ts';
import type {
  SubscribeTerms,
  TransactionsToSign,
} from '../../../chain/transactions/checkout-transactions.ts';
import {
  NotSponsorable,
  signAsSponsor,
  sponsoredSubscription,
} from '../../../chain/transactions/sponsored-transaction.ts';
import { invalidRequest } from '../../../errors.ts';
import { countSponsored, type SponsorResult } from '../../../observability/metrics/counters.ts';
import { hashNetwork } from '../../../secrets.ts';
import { settingsOf } from '../../accounts/merchant/settings.ts';
import { RESERVE_LAMPORTS } from '../../chain-state/collector/lamport-amounts.ts';
import { merchantsWithRent } from '../../chain-state/collector/merchants-with-rent.ts';
import { isConfiguredToken, minWorthRent } from '../../chain-state/collector/worth-rent.ts';
import { upToDate } from '../../chain-state/mirror/known-slot.ts';
import { chainOf } from '../../kernel/access/chain-of.ts';
import type { SessionRecord } from '../session/get-checkout-session.ts';
import type { WalletBalance } from '../session/wallet-balance.ts';
import { reserve } from './sponsor-budget.ts';

/** The balance that sponsoring leaves for the collector's own work: about 10,000 transactions. */
export const MIN_SPONSOR_LAMPORTS = RESERVE_LAMPORTS + 50_000_000n;
/** A signed transaction is handed out again if it can land for at least this many more blocks. */
const MIN_BLOCKS_LEFT = 40n;

/** The wallet needs no SOL once it has the price in tokens, as far as the budget then allows. */
export class NeedsPrice extends Error {
  override name = 'NeedsPrice';
}

/**
 * The transaction with which a wallet without SOL subscribes at the collector's cost; undefined if
 * that is not allowed (docs/decisions/0027-sponsored-customers.md has the rules).
 *
 * @param network the caller's network address, if it is known
 * @throws NeedsPrice if the wallet has fewer tokens than the price
 * @throws BillingError invalid_request, param `userWallet`, while an earlier transaction of this
 *   session may still land
 */
export async function sponsorCheckout(
  ctx: AppContext,
  session: SessionRecord,
  terms: SubscribeTerms & { readonly memo: string },
  approval: Approval,
  { balance, network }: { readonly balance: WalletBalance; readonly network: string | undefined },
): Promise<TransactionsToSign | undefined> {
  const { id: sessionId, merchantId, environment, plan } = session;
  const chain = chainOf(ctx, environment);
  const {
    maxSponsoredLamportsPerDay: all,
    maxSponsoredLamportsPerMerchant,
    paysRentAfterDays: afterDays,
  } = chain.config;
  const { sponsorsCustomers, sponsoredLamportsPerDay } = await settingsOf(ctx.db, session);
  if (!sponsorsCustomers || all === 0n) return undefined;
  const refuse = (result: SponsorResult) => {
    countSponsored(environment, result);
    return undefined;
  };
  if (!isConfiguredToken(chain.config, plan.mint)) return refuse('mint');
  if (plan.amount < minWorthRent(await mintDecimals(chain, address(plan.mint)))) return refuse('price');
  const now = ctx.clock.now();
  const merchants = await merchantsWithRent(ctx.db, environment, [merchantId], { now, afterDays });
  const merchant = merchants.get(merchantId);
  if (!merchant) return refuse('young');
  // Checked for a trial too: the deposits for a wallet that cannot pay would be wasted.
  if (balance.amount < plan.amount) {
    refuse('balance');
    throw new NeedsPrice();
  }
  const earlierWire = await findHandedOut(ctx, chain, sessionId, terms.subscriber);
  if (earlierWire) return asToSign(earlierWire);
  const built = await sponsoredSubscription(chain, terms, approval).catch((error: unknown) => {
    if (!(error instanceof NotSponsorable)) throw error;
    if (error.refusal === 'unexpected_spending')
      ctx.log.error({ err: error, sessionId }, 'customer not sponsored');
    return refuse(error.refusal);
  });
  if (!built) return undefined;
  const lamports = built.costs.fee + built.costs.deposits;
  const { value: collectorLamports } = await chain.rpc
    .getBalance(chain.collector.address, { commitment: 'confirmed' })
    .send();
  if (collectorLamports < lamports + MIN_SPONSOR_LAMPORTS) return refuse('collector');
  const reserved = await reserve(
    ctx,
    {
      merchantId,
      environment,
      planId: plan.id,
      sessionId,
      walletAddress: terms.subscriber,
      lamports,
      collector: chain.collector.address,
      callerHash: network === undefined ? null : hashNetwork(ctx.config.secretKey, network),
      lastValidBlockHeight: built.lastValidBlockHeight,
    },
    {
      isPublic: session.paymentLinkId !== null,
      isNew: !merchant.hasCollected,
      all,
      merchant: [sponsoredLamportsPerDay, maxSponsoredLamportsPerMerchant],
    },
  );
  if (reserved === 'busy') throw stillOpen();
  if (typeof reserved === 'string') return refuse(reserved);
  const { wire, signature } = await signAsSponsor(chain, built.transaction);
  // A reservation that has expired holds no part of the budget, so its transaction is not handed
  // out.
  const { count } = await ctx.db.sponsoredTransaction.updateMany({
    where: { id: reserved.id, status: 'RESERVED' },
    data: { wire, signature },
  });
  if (count === 0) throw stillOpen();
  countSponsored(environment, 'signed');
  return asToSign(wire);
}

/** A sponsored transaction to sign: the wallet pays no fee and no deposits. */
function asToSign(wire: string): TransactionsToSign {
  return { transactions: [wire], more: false, costs: { fee: 0n, deposits: 0n }, sponsored: true };
}

/**
 * The transaction that this wallet got before for the session, if it can still land.
 *
 * @throws BillingError if there is one for another wallet, or one that may be too old
 */
async function findHandedOut(
  { db }: Pick<AppContext, 'db'>,
  chain: Chain,
  sessionId: string,
  wallet: string,
): Promise<string | undefined> {
  const open = await db.sponsoredTransaction.findFirst({ where: { sessionId, status: 'RESERVED' } });
  if (!open) return undefined;
  const height = await readRecentBlockHeight(await upToDate({ db }, chain));
  const isFresh = height + MIN_BLOCKS_LEFT <= open.lastValidBlockHeight;
  if (open.wire === null || open.walletAddress !== wallet || !isFresh) throw stillOpen();
  return open.wire;
}

function stillOpen() {
  return invalidRequest(
    'userWallet',
    'A transaction of this checkout without network fee may still be sent: try again in two minutes.',
  );
}
