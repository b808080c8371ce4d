import type { AppContext } from '../src/app.ts';
import { Mailer } from '../src/domain/messages/mail/mailer.ts';
import { sendMails } from '../src/domain/messages/mail/send-mails.ts';
import { writeTimedMails } from '../src/domain/messages/mail/write-timed-mails.ts';
import { checkClock } from '../src/domain/messages/webhook/delivery/check-clock.ts';
import type { JobHandler } from './job-handler.ts';

/** The mailer, if a mail server is configured. Otherwise logs once that there is none. */
export function startMailer({ config, log }: Pick<AppContext, 'config' | 'log'>): Mailer | undefined {
  if (config.mail) return new Mailer(config.mail);
  log.info('no mail is sent: SMTP_URL and MAIL_FROM are not set');
  return undefined;
}

/** `mails.send`: runs when mails were written, and every 15 seconds while some are due. */
export function sendMailsJob(mailer: Mailer | undefined): JobHandler<'mails.send'> {
  return async (ctx) => {
    if (mailer) await sendMails(ctx, mailer);
  };
}

/**
 * `mails.write`: writes the mails that are due, every minute. Does nothing while our clock may be
 * wrong, or without a mail server.
 */
export const writeTimedMailsJob: JobHandler<'mails.write'> = async (ctx) => {
  if (ctx.config.mail && (await checkClock(ctx)) === 'right') await writeTimedMails(ctx);
};
