import type { AppContext } from '../../../app.ts';
import { inTransaction, type TransactionContext } from '../../../jobs/in-transaction.ts';
import type { CollectorState, FeePayerState } from '../../chain-state/collector/read-collectors.ts';
import { writeMails } from './write-mails.ts';

/**
 * Writes the mail to the operator about a collector or fee payer whose SOL is low: at most one a day,
 * and one more a day while it is empty.
 */
export async function writeCollectorMail(
  ctx: TransactionContext & Pick<AppContext, 'config'>,
  { environment, address, role, lamports, daysLeft, canPay }: CollectorState | FeePayerState,
): Promise<void> {
  const recipient = ctx.config.mail?.operator?.address;
  if (recipient === undefined) return;
  const day = ctx.clock.now().toISOString().slice(0, 10);
  await inTransaction(ctx, (tx) =>
    writeMails(ctx, tx, [
      {
        scope: null,
        template: 'COLLECTOR_LOW',
        recipient,
        cause: `${environment} ${address} ${canPay ? 'low' : 'empty'} ${day}`,
        content: {
          environment,
          address,
          lamports: String(lamports),
          daysLeft,
          canPay,
          isFeePayer: role === 'fee_payer',
        },
      },
    ]),
  );
}
