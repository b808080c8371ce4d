import type { Address } from '@solana/kit';
import type { AppContext } from '../../../app.ts';
import type { Chain } from '../../../chain/chain.ts';
import type { RefundTerms } from '../../../chain/transactions/refund-transactions.ts';
import { invalidRequest } from '../../../errors.ts';
import { readReceivingAccounts } from '../../accounts/merchant/receiving-accounts.ts';
import type { Scope } from '../../kernel/access/scope.ts';

/**
 * The merchant's token account that pays a refund: the associated one, or the fullest one that has
 * enough if that one has too little. Undefined for the associated one.
 *
 * @throws BillingError invalid_request, param `id`, if only several accounts together have enough;
 *   NodeBehind
 */
export async function refundSource(
  ctx: Pick<AppContext, 'db'>,
  chain: Chain,
  { merchantId, environment }: Scope,
  { merchant: owner, mint, tokenProgram, amount }: RefundTerms,
): Promise<Address | undefined> {
  const key = { environment_merchantId_mint: { environment, merchantId, mint } };
  // Without a row, the merchant has never used another account.
  const row = await ctx.db.receivingAccounts.findUnique({ where: key });
  if (!row) return undefined;
  const [found] = await readReceivingAccounts(chain, [{ owner, mint, tokenProgram }], [row]);
  const payable = (found?.accounts ?? []).filter(({ obstacle }) => obstacle !== 'frozen');
  const able = payable.filter((account) => account.amount >= amount);
  const [fullest] = able.toSorted((a, b) => Number(b.amount - a.amount));
  if (fullest) return able.find(({ number }) => number === 1)?.address ?? fullest.address;
  const total = payable.reduce((sum, account) => sum + account.amount, 0n);
  if (total < amount) return undefined;
  throw invalidRequest(
    'id',
    'No single one of your receiving accounts has enough of the token. Move the tokens together with sweepReceivingAccountsTransaction, and try again.',
  );
}
