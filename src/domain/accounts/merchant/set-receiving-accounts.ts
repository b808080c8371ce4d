import type { AppContext } from '../../../app.ts';
import { MAX_RECEIVING_ACCOUNTS } from '../../../chain/accounts/receiving-accounts.ts';
import { invalidRequest } from '../../../errors.ts';
import type { ActingScope } from '../../kernel/audit-log/actor.ts';
import { changedFields } from '../../kernel/audit-log/changed-fields.ts';
import { recordAudit } from '../../kernel/audit-log/record-audit.ts';
import { getReceivingAccounts, type ReceivingAccounts, receivedAssets } from './receiving-accounts.ts';

/**
 * Sets the number of accounts in which a merchant receives a token. Each is used as soon as it exists,
 * which the merchant's wallet must create: `receivingAccountsTransaction`. Accounts beyond that number are
 * not used any more, and keep their tokens.
 *
 * @throws BillingError invalid_request, param `mint` or `count`
 */
export async function setReceivingAccounts(
  ctx: Pick<AppContext, 'db' | 'chain' | 'clock' | 'log'>,
  scope: ActingScope,
  { mint, count }: { readonly mint: string; readonly count: number },
): Promise<ReceivingAccounts> {
  if (!Number.isInteger(count) || count < 1 || count > MAX_RECEIVING_ACCOUNTS) {
    throw invalidRequest('count', `count must be a whole number from 1 to ${MAX_RECEIVING_ACCOUNTS}.`);
  }
  await receivedAssets(ctx, scope, mint);
  const { merchantId, environment } = scope;
  const key = { environment, merchantId, mint };
  await ctx.db.$transaction(async (tx) => {
    const where = { environment_merchantId_mint: key };
    const before = await tx.receivingAccounts.findUnique({ where });
    const changes = changedFields({ count: before?.count ?? 1 }, { count });
    if (Object.keys(changes).length === 0) return;
    await tx.receivingAccounts.upsert({ where, create: { ...key, count }, update: { count } });
    await recordAudit(ctx, tx, scope, { action: 'receiving_accounts.updated', targetId: mint, changes });
  });
  return getReceivingAccounts(ctx, scope, mint);
}
