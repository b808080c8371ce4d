import { type Address, address } from '@solana/kit';
import type { AppContext } from '../../../app.ts';
import { decodeTokenAccount } from '../../../chain/accounts/accounts.ts';
import { type ChainAccount, readAccounts } from '../../../chain/accounts/read-accounts.ts';
import {
  MAX_RECEIVING_ACCOUNTS,
  type Obstacle,
  obstacleTo,
  type ReceivedAsset,
  receivingAddresses,
} from '../../../chain/accounts/receiving-accounts.ts';
import type { Chain } from '../../../chain/chain.ts';
import { FEW_ATTEMPTS } from '../../../chain/rpc/as-of.ts';
import { invalidRequest } from '../../../errors.ts';
import type { Environment } from '../../../generated/prisma/client.ts';
import { upToDate } from '../../chain-state/mirror/known-slot.ts';
import { replaceNodeBehind } from '../../chain-state/mirror/replace-node-behind.ts';
import { chainOf } from '../../kernel/access/chain-of.ts';
import type { Scope } from '../../kernel/access/scope.ts';

/** Maximum tokens that are listed: their accounts are read in one call. */
const MAX_TOKENS = 12;

/** An account in which a merchant receives a token. */
export interface ReceivingAccount {
  /** 1 for the associated account. */
  readonly number: number;
  readonly address: Address;
  /** Why it gets no payments; null if it accepts them. */
  readonly obstacle: Obstacle | null;
  /** Whether it gets payments. */
  readonly isUsed: boolean;
  /** The merchant's tokens in it, in base units. */
  readonly amount: bigint;
}

/** The accounts in which a merchant receives a token. */
export interface ReceivingAccounts {
  readonly environment: Environment;
  readonly asset: ReceivedAsset;
  /** The number of accounts that the merchant wants to use. */
  readonly count: number;
  /** The accounts up to that number, and further ones that exist. */
  readonly accounts: readonly ReceivingAccount[];
}

/**
 * Lists the receiving accounts of each token of the merchant's plans, at most 12 tokens, as the chain
 * shows them.
 *
 * @throws BillingError invalid_request, param `mint`, if no plan has that token, or all nodes are behind
 */
export async function listReceivingAccounts(
  ctx: Pick<AppContext, 'db' | 'chain' | 'log'>,
  scope: Scope,
  mint?: string,
): Promise<ReceivingAccounts[]> {
  const { environment, merchantId } = scope;
  const assets = await receivedAssets(ctx, scope, mint);
  if (assets.length === 0) return [];
  const rows = await ctx.db.receivingAccounts.findMany({ where: { environment, merchantId } });
  try {
    const chain = await upToDate(ctx, chainOf(ctx, environment), FEW_ATTEMPTS);
    return await readReceivingAccounts(chain, assets, rows);
  } catch (cause) {
    throw replaceNodeBehind(cause, 'mint');
  }
}

/**
 * Reads the receiving accounts of tokens, in their order. `chosen` has the numbers of accounts that the
 * merchant uses.
 *
 * @throws NodeBehind
 */
export async function readReceivingAccounts(
  chain: Chain,
  assets: readonly ReceivedAsset[],
  chosen: readonly { readonly mint: string; readonly count: number }[],
): Promise<ReceivingAccounts[]> {
  const { environment } = chain;
  const addresses = await Promise.all(
    assets.map((asset) => receivingAddresses(asset, MAX_RECEIVING_ACCOUNTS)),
  );
  const read = await readAccounts(chain, addresses.flat(), 'extensions');
  return assets.map((asset, at): ReceivingAccounts => {
    const count = chosen.find(({ mint }) => mint === asset.mint)?.count ?? 1;
    const all = (addresses[at] ?? []).map((accountAddress, index): ReceivingAccount => {
      const account = read[at * MAX_RECEIVING_ACCOUNTS + index];
      const number = index + 1;
      const obstacle = obstacleTo(account, asset, number);
      const isUsed = obstacle === null && number <= count;
      return { number, address: accountAddress, obstacle, isUsed, amount: amountIn(account, obstacle) };
    });
    const accounts = all.filter(({ number, obstacle }) => number <= count || obstacle !== 'missing');
    return { environment, asset, count, accounts };
  });
}

/**
 * The receiving accounts of one token.
 *
 * @throws BillingError invalid_request, param `mint`
 */
export async function getReceivingAccounts(
  ctx: Pick<AppContext, 'db' | 'chain' | 'log'>,
  scope: Scope,
  mint: string,
): Promise<ReceivingAccounts> {
  const [found] = await listReceivingAccounts(ctx, scope, mint);
  if (!found) throw new Error('a token has no receiving accounts');
  return found;
}

/**
 * The tokens of the merchant's plans, or the one with this mint.
 *
 * @throws BillingError invalid_request, param `mint`, if no plan has that token
 */
export async function receivedAssets(
  { db }: Pick<AppContext, 'db'>,
  { merchantId, environment }: Scope,
  mint?: string,
): Promise<ReceivedAsset[]> {
  const tokensWhere = (where: { readonly mint?: string }) =>
    db.plan.groupBy({
      by: ['mint', 'tokenProgram'],
      where: { merchantId, environment, ...where },
      orderBy: { mint: 'asc' },
      take: MAX_TOKENS,
    });
  const tokens = await tokensWhere(mint === undefined ? {} : { mint });
  if (mint !== undefined && tokens.length === 0) {
    const allowed = (await tokensWhere({})).map((token) => token.mint);
    throw invalidRequest(
      'mint',
      allowed.length === 0
        ? 'mint must be the token of one of your plans, and you have no plan yet.'
        : `mint must be the token of one of your plans: ${allowed.join(', ')}.`,
    );
  }
  const { walletAddress } = await db.merchant.findUniqueOrThrow({ where: { id: merchantId } });
  return tokens.map((token) => ({
    owner: address(walletAddress),
    mint: address(token.mint),
    tokenProgram: address(token.tokenProgram),
  }));
}

function amountIn(account: ChainAccount | undefined, obstacle: Obstacle | null): bigint {
  const isMine = obstacle !== 'missing' && obstacle !== 'unreadable' && obstacle !== 'other_owner';
  return account && isMine ? decodeTokenAccount(account.data).amount : 0n;
}
