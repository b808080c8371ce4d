import type { AppContext } from '../../../app.ts';
import { isUniqueViolation } from '../../../db/is-unique-violation.ts';
import { invalidRequest } from '../../../errors.ts';
import type { Customer } from '../../../generated/prisma/client.ts';
import type { ActingScope } from '../../kernel/audit-log/actor.ts';
import { changedFields } from '../../kernel/audit-log/changed-fields.ts';
import { recordAudit } from '../../kernel/audit-log/record-audit.ts';
import { validEmail } from '../../kernel/input/valid-text.ts';
import { getCustomer } from './get-customer.ts';

/**
 * Changes a customer's email. Later events have the new one; those that were recorded keep the old
 * one.
 *
 * @throws BillingError not_found, param `id`; invalid_request, param `email`, also if another
 *   customer with the same wallet has this email
 */
export async function updateCustomer(
  ctx: Pick<AppContext, 'db' | 'clock'>,
  scope: ActingScope,
  id: string,
  input: { readonly email: string },
): Promise<Customer> {
  const email = validEmail('email', input.email);
  try {
    return await ctx.db.$transaction(async (tx) => {
      const before = await getCustomer({ db: tx }, scope, id);
      const changes = changedFields({ email: before.email }, { email });
      if (Object.keys(changes).length === 0) return before;
      await recordAudit(ctx, tx, scope, { action: 'customer.updated', targetId: id, changes });
      return tx.customer.update({ where: { id }, data: { email } });
    });
  } catch (cause) {
    if (!isUniqueViolation(cause)) throw cause;
    throw invalidRequest(
      'email',
      'Another customer with this wallet already has this email. Send a different email.',
    );
  }
}
