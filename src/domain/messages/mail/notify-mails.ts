import type { AppContext } from '../../../app.ts';

/**
 * Adds the job that sends mails. If it is already running, it runs once more afterwards. Never
 * rejects: the mails are stored, and the scheduler adds the job every 15 seconds.
 */
export async function notifyMails({ jobs, log }: Pick<AppContext, 'jobs' | 'log'>): Promise<void> {
  try {
    await jobs.add('mails.send', {}, { deduplication: { id: 'send', keepLastIfActive: true } });
  } catch (err) {
    log.warn({ err }, 'job to send mails may not have been added: the scheduler will add it');
  }
}
