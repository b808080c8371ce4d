import type { AppContext } from '../../../app.ts';
import type { Customer } from '../../../generated/prisma/client.ts';
import type { ActingScope } from '../../kernel/audit-log/actor.ts';
import { changedFields } from '../../kernel/audit-log/changed-fields.ts';
import { recordAudit } from '../../kernel/audit-log/record-audit.ts';
import { optionalText } from '../../kernel/input/optional-text.ts';
import { validName, validPostalAddress, validTaxId } from '../../kernel/input/valid-text.ts';
import { getCustomer } from './get-customer.ts';

const MAX_NAME = 200;

/** The buyer's details on later receipts; null removes a field, an omitted one stays unchanged. */
export interface BillingDetails {
  readonly billingName?: string | null | undefined;
  /** A postal address, in lines. */
  readonly billingAddress?: string | null | undefined;
  readonly taxId?: string | null | undefined;
}

/**
 * Changes the buyer's details on later receipts. Receipts that were issued keep theirs.
 *
 * @throws BillingError not_found, param `id`; invalid_request, param as in the input
 */
export async function updateBillingDetails(
  ctx: Pick<AppContext, 'db' | 'clock'>,
  scope: ActingScope,
  id: string,
  input: BillingDetails,
): Promise<Customer> {
  const data = {
    ...optionalText(input, 'billingName', (param, text) => validName(param, text, MAX_NAME)),
    ...optionalText(input, 'billingAddress', validPostalAddress),
    ...optionalText(input, 'taxId', validTaxId),
  };
  return ctx.db.$transaction(async (tx) => {
    const before = await getCustomer({ db: tx }, scope, id);
    const changes = changedFields({ ...before }, { ...data });
    if (Object.keys(changes).length === 0) return before;
    await recordAudit(ctx, tx, scope, { action: 'customer.updated', targetId: id, changes });
    return tx.customer.update({ where: { id }, data });
  });
}
