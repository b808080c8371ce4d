import type { AppContext } from '../../../app.ts';
import type { Config } from '../../../config.ts';
import { openSignedId, signId } from '../../../secrets.ts';

const PURPOSE = 'unsubscribe';

/** The URL at which a customer unsubscribes from reminders; a GET only shows a button. */
export function unsubscribeUrl(
  { publicUrl, secretKey }: Pick<Config, 'publicUrl' | 'secretKey'>,
  customerId: string,
): string {
  return `${publicUrl}/mail/unsubscribe/${signId(secretKey, PURPOSE, customerId)}`;
}

/** The customer and merchant of an unsubscribe link. */
export interface UnsubscribeLink {
  readonly customerId: string;
  /** The merchant whose reminders end. */
  readonly company: string;
  /** Whether they have ended already. */
  readonly isOff: boolean;
}

/** Reads an unsubscribe link; null for any other text. */
export async function readUnsubscribeLink(
  { db, config }: Pick<AppContext, 'db' | 'config'>,
  token: string,
): Promise<UnsubscribeLink | null> {
  const id = openSignedId(config.secretKey, PURPOSE, token);
  const customer = id && (await db.customer.findUnique({ where: { id }, include: { merchant: true } }));
  if (!customer) return null;
  const { merchant, remindersOffAt } = customer;
  return { customerId: customer.id, company: merchant.companyName, isOff: remindersOffAt !== null };
}

/**
 * Ends the reminders of a merchant to a customer. Receipts and mails about failures continue. A
 * repeated call changes nothing. Returns null if the text is not such a link.
 */
export async function unsubscribe(
  ctx: Pick<AppContext, 'db' | 'config' | 'clock'>,
  token: string,
): Promise<UnsubscribeLink | null> {
  const link = await readUnsubscribeLink(ctx, token);
  if (link && !link.isOff) {
    await ctx.db.customer.update({
      where: { id: link.customerId },
      data: { remindersOffAt: ctx.clock.now() },
    });
  }
  return link;
}
