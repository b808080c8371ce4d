import type { AppContext } from '../../../app.ts';
import type { Customer, MailSettings, Plan, Subscription } from '../../../generated/prisma/client.ts';
import { inTransaction } from '../../../jobs/in-transaction.ts';
import { chargedAt } from '../../catalog/plan/charged-at.ts';
import { writeMails } from './write-mails.ts';

const DAY_MS = 86_400_000;
/** Days before the end of a trial at which its mail is sent. */
const TRIAL_DAYS = 3;
/** An endpoint that has failed for this long is reported. */
const FAILING_MS = 3_600_000;
/** Maximum rows of one statement. */
const PAGE = 500;
/** Merchants whose settings are read at once. */
const MERCHANTS = 100;
/** Maximum statements of one run for one merchant; the next run continues. */
const PAGES_PER_RUN = 20;

/** The greatest id that a row can have. */
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

type TimedMailsContext = Pick<AppContext, 'config' | 'db' | 'clock' | 'wallClock' | 'jobs' | 'log'>;
type Reminder = 'RENEWAL_REMINDER' | 'TRIAL_ENDS';

/** The cause of the mails that remind of the payment that is due at this time. */
export function reminderCause(subscriptionId: string, dueAt: Date): string {
  return `${subscriptionId} ${dueAt.toISOString()}`;
}

/**
 * Writes the mails that depend on the time, for the merchants that want them: reminders, and
 * reports of failing endpoints. Does nothing without a mail server.
 *
 * Reminders: a run reads the payments that become due within the reminder's days from now, by
 * index. It stores the time up to which it has read, for each merchant, and the next run begins
 * there. So each payment is read once. Two kinds of payments get no reminder, because the customer
 * has just paid or subscribed: those of a plan with an interval of that many days or less, and the
 * first one after a trial of three days or less.
 */
export async function writeTimedMails(ctx: TimedMailsContext): Promise<void> {
  if (!ctx.config.mail) return;
  for (let skip = 0; ; skip += MERCHANTS) {
    const page = await ctx.db.mailSettings.findMany({
      where: { templates: { hasSome: ['RENEWAL_REMINDER', 'PAUSE_ENDS', 'TRIAL_ENDS', 'ENDPOINT_FAILING'] } },
      orderBy: [{ merchantId: 'asc' }, { environment: 'asc' }],
      skip,
      take: MERCHANTS,
    });
    for (const settings of page) await writeForMerchant(ctx, settings);
    if (page.length < MERCHANTS) return;
  }
}

/** A merchant whose mails cannot be written does not delay the others. */
async function writeForMerchant(ctx: TimedMailsContext, settings: MailSettings): Promise<void> {
  const { merchantId, environment, templates } = settings;
  try {
    for (const template of ['RENEWAL_REMINDER', 'TRIAL_ENDS'] as const) {
      if (
        templates.includes(template) ||
        (template === 'RENEWAL_REMINDER' && templates.includes('PAUSE_ENDS'))
      ) {
        await remind(ctx, settings, template);
      }
    }
    if (templates.includes('ENDPOINT_FAILING')) await reportEndpoints(ctx, settings);
  } catch (err) {
    ctx.log.error({ err, merchantId, environment }, 'timed mails not written: retrying later');
  }
}

async function remind(ctx: TimedMailsContext, settings: MailSettings, template: Reminder): Promise<void> {
  const isTrial = template === 'TRIAL_ENDS';
  const days = isTrial ? TRIAL_DAYS : settings.reminderDays;
  const { merchantId, environment } = settings;
  const now = ctx.clock.now();
  const end = new Date(now.getTime() + days * DAY_MS);
  const readUntil = (isTrial ? settings.trialsToldUntil : settings.remindedUntil) ?? now;
  const from = Math.max(readUntil.getTime(), now.getTime());
  let after = { at: new Date(from), id: LAST_ID };
  for (let page = 0; page < PAGES_PER_RUN && after.at < end; page += 1) {
    const due = await ctx.db.subscription.findMany({
      where: {
        merchantId,
        environment,
        status: 'ACTIVE',
        nextPaymentAt: { gte: after.at, lte: end },
        OR: [{ nextPaymentAt: { gt: after.at } }, { id: { gt: after.id } }],
      },
      orderBy: [{ nextPaymentAt: 'asc' }, { id: 'asc' }],
      take: PAGE,
      include: { plan: true, customer: true },
    });
    const last = due.at(-1);
    const isLastPage = due.length < PAGE || !last;
    after = isLastPage ? { at: end, id: LAST_ID } : { at: last.nextPaymentAt, id: last.id };
    // Others may be due at the same time as the last one, so the next run reads that time again.
    const until = isLastPage ? end : new Date(after.at.getTime() - 1);
    await inTransaction(ctx, async (tx) => {
      await writeMails(
        ctx,
        tx,
        due
          .filter((subscription) => wantsReminder(subscription, template, days))
          .map((subscription) => ({ ...subscription, template: templateFor(subscription, template) }))
          .filter((reminded) => settings.templates.includes(reminded.template))
          .map(({ id: subscriptionId, nextPaymentAt, customer, template }) => ({
            scope: { merchantId, environment },
            template,
            recipient: customer.email,
            cause: reminderCause(subscriptionId, nextPaymentAt),
            content: { subscriptionId, dueAt: nextPaymentAt.toISOString() },
            expiresAt: nextPaymentAt,
          })),
      );
      await tx.mailSettings.update({
        where: { merchantId_environment: { merchantId, environment } },
        data: isTrial ? { trialsToldUntil: until } : { remindedUntil: until },
      });
    });
  }
}

type Reminded = Subscription & { readonly plan: Plan; readonly customer: Customer };

function wantsReminder(subscription: Reminded, template: Reminder, days: number): boolean {
  const { plan, customer, paymentCount, trialGranted, cancelAtPeriodEnd } = subscription;
  if (customer.remindersOffAt !== null || cancelAtPeriodEnd) return false;
  // Nothing is charged then.
  if (chargedAt(subscription)?.getTime() !== subscription.nextPaymentAt.getTime()) return false;
  const isAfterTrial = paymentCount === 0 && trialGranted && plan.trialPeriodSeconds > 0;
  if (template === 'TRIAL_ENDS') return isAfterTrial;
  return !isAfterTrial && plan.intervalSeconds * 1000 > days * DAY_MS;
}

/** The first payment after a pause has a reminder of its own. */
function templateFor({ nextPaymentAt, pausedUntil }: Reminded, template: Reminder): Reminder | 'PAUSE_ENDS' {
  const isAfterPause = pausedUntil?.getTime() === nextPaymentAt.getTime();
  return template === 'RENEWAL_REMINDER' && isAfterPause ? 'PAUSE_ENDS' : template;
}

async function reportEndpoints(ctx: TimedMailsContext, settings: MailSettings): Promise<void> {
  const { merchantId, environment, merchantEmail } = settings;
  if (merchantEmail === null) return;
  const failing = await ctx.db.webhookEndpoint.findMany({
    where: {
      merchantId,
      environment,
      status: 'ENABLED',
      failingSince: { lte: new Date(ctx.wallClock.now().getTime() - FAILING_MS) },
    },
    take: PAGE,
  });
  if (failing.length === 0) return;
  await inTransaction(ctx, (tx) =>
    writeMails(
      ctx,
      tx,
      failing.map(({ id: endpointId, failingSince }) => ({
        scope: { merchantId, environment },
        template: 'ENDPOINT_FAILING',
        recipient: merchantEmail,
        cause: `${endpointId} ${failingSince?.toISOString()}`,
        content: { endpointId, failingSince: failingSince?.toISOString() ?? '' },
      })),
    ),
  );
}
