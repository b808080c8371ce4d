import { mapConcurrently } from '../../../async/map-concurrently.ts';
import { claimEnd, claimTime, readClaimTime } from '../../../db/claim.ts';
import { countMails } from '../../../observability/metrics/counters.ts';
import { type ComposingContext, composeMail, type DueMail, MailOutdated } from './compose-mail.ts';
import { CONNECTIONS, type Mailer, type MailOutcome } from './mailer.ts';
import { renderMail } from './render-mail.ts';
import { kebabCase, templateNames } from './templates.ts';
import { unsubscribeUrl } from './unsubscribe.ts';

/** Mails claimed at once: few, because those of a killed worker wait until its claim ends. */
const BATCH_SIZE = 20;
/** The time of a claim: longer than a batch takes, unless the server is slow. */
const CLAIM_SECONDS = 180;
/** A mail is not started with less of its claim left. Sending one takes less than this. */
const MIN_LEFT_MS = 90_000;
/** Delays after each failed attempt; the last one repeats until the mail is too old. */
const DELAYS_MS = [60_000, 300_000, 1_800_000, 7_200_000];

/** A claimed mail. Its template is known, unless it is too old. */
interface ClaimedMail extends DueMail {
  readonly recipient: string;
  /** Attempts, with this one. */
  readonly attemptCount: number;
  /** Whether it is too old, by `claimTime`: a worker whose clock is ahead must not give it up. */
  readonly isLate: boolean;
  /** When the claim ends, by `claimTime`. */
  readonly claimedUntil: Date;
}

/**
 * Sends the mails that are due, until none is left. Any number of workers may do so at the same
 * time.
 *
 * 1. It claims a few mails: they are due again when the claim ends. A worker that is killed
 *    therefore loses none.
 * 2. It sends each, and stores the outcome. If it is killed between the two, the mail is sent again
 *    with the same Message-ID.
 *
 * Mails of a template that this release does not know are left to a worker of a newer release,
 * until they are too old.
 *
 * If a slow server leaves too little time for a mail, the mail is not started: another worker may
 * claim it, and only one of them may send it.
 *
 * While the mail server cannot be used, the claimed mails wait and no others are claimed.
 */
export async function sendMails(ctx: ComposingContext, mailer: Mailer): Promise<void> {
  for (;;) {
    const claimed = await claim(ctx);
    if (claimed.length === 0) return;
    const outcomes: Outcome[] = [];
    const findOutage = () => outcomes.find(({ state }) => state === 'away');
    await mapConcurrently(claimed, CONNECTIONS, async (mail) => {
      const leftMs = mail.claimedUntil.getTime() - (await readClaimTime(ctx.db, ctx.clock)).getTime();
      if (leftMs < MIN_LEFT_MS) return release(ctx, mail);
      const outcome = findOutage() ?? (await sendOne(ctx, mailer, mail));
      outcomes.push(outcome);
      await settle(ctx, mail, outcome);
    });
    const outage = findOutage();
    if (outage) {
      ctx.log.error({ err: errorOf(outage) }, 'the mail server cannot be used: mails wait');
      return;
    }
  }
}

async function claim({ db, clock }: ComposingContext): Promise<ClaimedMail[]> {
  const time = claimTime(clock);
  return db.$queryRaw<ClaimedMail[]>`
    UPDATE "Mail" SET "nextAttemptAt" = ${claimEnd(clock, CLAIM_SECONDS)}, "attemptCount" = "attemptCount" + 1
    WHERE "id" = ANY(ARRAY(
      SELECT "id" FROM "Mail" WHERE "status" = 'QUEUED' AND "nextAttemptAt" <= ${time}
        AND ("template" = ANY (${[...templateNames]}) OR "expiresAt" <= ${time})
      ORDER BY "nextAttemptAt" LIMIT ${BATCH_SIZE} FOR UPDATE SKIP LOCKED))
    RETURNING "id", "merchantId", "environment", "template", "recipient", "content", "expiresAt", "attemptCount",
      "expiresAt" <= ${time} AS "isLate", "nextAttemptAt" AS "claimedUntil"`;
}

/**
 * Releases a mail that was not started, if its claim has not changed. The attempt does not count.
 */
async function release({ db, clock }: ComposingContext, { id, claimedUntil }: ClaimedMail): Promise<void> {
  await db.$executeRaw`
    UPDATE "Mail" SET "nextAttemptAt" = ${claimTime(clock)}, "attemptCount" = "attemptCount" - 1
    WHERE "id" = ${id}::uuid AND "status" = 'QUEUED' AND "nextAttemptAt" = ${claimedUntil}`;
}

type Outcome = MailOutcome | { readonly state: 'dropped' | 'late'; readonly error: string };

async function sendOne(ctx: ComposingContext, mailer: Mailer, mail: ClaimedMail): Promise<Outcome> {
  if (mail.isLate) return { state: 'late', error: 'it was not sent in time' };
  try {
    const { content, brand, customerId } = await composeMail(ctx, mail);
    const unsubscribe = customerId === undefined ? undefined : unsubscribeUrl(ctx.config, customerId);
    return await mailer.send({
      ...renderMail(content, brand, unsubscribe),
      messageId: `${idOf(mail)}.${kebabCase(mail.template)}@${mailer.domain}`,
      fromName: brand.fromName,
      replyTo: brand.supportEmail,
      to: mail.recipient,
      ...(unsubscribe !== undefined && { unsubscribeUrl: unsubscribe }),
    });
  } catch (err) {
    if (err instanceof MailOutdated) return { state: 'dropped', error: err.message };
    ctx.log.error({ err, mailId: mail.id, template: mail.template }, 'mail not composed: retrying later');
    return { state: 'later', error: 'it could not be composed' };
  }
}

/** The id of the mail's event, or of the mail if it has none. */
function idOf({ id, content }: ClaimedMail): string {
  const { eventId } = content as { readonly eventId?: string };
  return eventId ?? id;
}

async function settle({ db, clock }: ComposingContext, mail: ClaimedMail, outcome: Outcome): Promise<void> {
  const { id, attemptCount } = mail;
  const delayMs = DELAYS_MS[Math.min(attemptCount, DELAYS_MS.length) - 1] ?? 0;
  const ended = { sent: 'SENT', refused: 'FAILED', late: 'FAILED', dropped: 'DROPPED' } as const;
  const status = outcome.state in ended ? ended[outcome.state as keyof typeof ended] : 'QUEUED';
  const nextAttemptAt = status === 'QUEUED' && new Date((await readClaimTime(db, clock)).getTime() + delayMs);
  await db.mail.updateMany({
    where: { id, status: 'QUEUED' },
    data: {
      status,
      // Merchants read it, and an outage names the operator's server.
      error: outcome.state === 'away' ? 'the mail server cannot be used' : errorOf(outcome),
      ...(status === 'SENT' && { sentAt: clock.now() }),
      ...(nextAttemptAt && { nextAttemptAt }),
      // A link is deleted once it was sent, or will never be sent.
      ...(status !== 'QUEUED' && mail.template === 'PORTAL_LINK' && { content: {} }),
    },
  });
  countMails(outcome.state, 1);
}

function errorOf(outcome: Outcome): string | null {
  return 'error' in outcome ? outcome.error : null;
}
