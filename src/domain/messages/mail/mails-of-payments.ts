import type { DbTransaction } from '../../../db/db.ts';
import type { Mail } from '../../../generated/prisma/client.ts';
import { eventsOfPayments } from '../event/events-of-payments.ts';
import { isTemplate, type TemplateName } from './templates.ts';
import { firstSaleCause } from './write-event-mails.ts';
import { reminderCause } from './write-timed-mails.ts';

/** Maximum mails of one payment. */
export const MAX_MAILS = 50;

export type PaymentMail = Mail & { readonly template: TemplateName };

/**
 * The mails about each of the payments, oldest first: those of its events, the reminders before it,
 * and the one about the merchant's first sale. They are found by their causes, by index.
 */
export async function mailsOfPayments(
  db: Pick<DbTransaction, '$queryRaw' | 'payment' | 'mail'>,
  paymentIds: readonly string[],
): Promise<Map<string, PaymentMail[]>> {
  const payments = await db.payment.findMany({
    where: { id: { in: [...paymentIds] } },
    select: { id: true, merchantId: true, environment: true, subscriptionId: true, dueAt: true },
  });
  const events = await eventsOfPayments(db, paymentIds);
  const causesOf = new Map(
    payments.map((payment) => [
      payment.id,
      [...(events.get(payment.id) ?? []), reminderCause(payment.subscriptionId, payment.dueAt)],
    ]),
  );
  const causes = [...[...causesOf.values()].flat(), ...new Set(payments.map(firstSaleCause))];
  const mails = await db.mail.findMany({
    where: { cause: { in: causes } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  return new Map(
    payments.map(({ id, merchantId }) => {
      const ownCauses = new Set(causesOf.get(id));
      const isAbout = (mail: Mail): mail is PaymentMail =>
        mail.merchantId === merchantId &&
        isTemplate(mail.template) &&
        (ownCauses.has(mail.cause) || ownCauses.has(eventOf(mail)));
      return [id, mails.filter(isAbout).slice(0, MAX_MAILS)];
    }),
  );
}

/** The id of the event in a mail's content; empty if it has none. */
function eventOf({ content }: Mail): string {
  const { eventId } = content as { readonly eventId?: unknown };
  return typeof eventId === 'string' ? eventId : '';
}
