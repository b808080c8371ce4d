import type { AppContext } from '../../../app.ts';
import { asRows } from '../../../db/bulk.ts';
import { claimTime } from '../../../db/claim.ts';
import type { DbTransaction } from '../../../db/db.ts';
import { Prisma } from '../../../generated/prisma/client.ts';
import { afterCommit } from '../../../jobs/in-transaction.ts';
import { countMails } from '../../../observability/metrics/counters.ts';
import { encryptSecret } from '../../../secrets.ts';
import type { Scope } from '../../kernel/access/scope.ts';
import { notifyMails } from './notify-mails.ts';
import type { TemplateName } from './templates.ts';

/** A mail is attempted for this long. */
export const MAIL_AGE_MS = 3 * 86_400_000;
/** A merchant is new for this long. */
const NEW_MS = 7 * 86_400_000;
/** Urgent mails become due this much earlier, so that they are sent before others that wait. */
const AHEAD = Prisma.sql`interval '1 hour'`;

export interface NewMail {
  /** Null for a mail to the operator. */
  readonly scope: Scope | null;
  readonly template: TemplateName;
  readonly recipient: string;
  /** A second mail with the same cause, template and recipient is not written. */
  readonly cause: string;
  /** The data of the template. */
  readonly content: Prisma.InputJsonObject;
  /** The mail is not sent after this time. Default: after three days. */
  readonly expiresAt?: Date;
  /** Whether a person is waiting for it. */
  readonly isUrgent?: boolean;
}

/** Mails of one template that were not written, because a limit of the merchant is reached. */
interface Refused extends Scope {
  readonly template: TemplateName;
  readonly refused: number;
}

/**
 * Writes mails in the transaction of their cause, which `inTransaction` started, and sends them
 * soon after its commit. Writes none without a mail server, and none beyond the daily limits of a
 * merchant and environment: of all its mails, which is lower for a new merchant, and of those to
 * one recipient. Links to the portal are counted apart, with the same limits: anyone can ask for
 * one, and must not use up the mails that customers need.
 *
 * @returns the number of mails written
 */
export async function writeMails(
  { config, clock, log }: Pick<AppContext, 'config' | 'clock' | 'log'>,
  tx: DbTransaction,
  mails: readonly NewMail[],
): Promise<number> {
  if (!config.mail || mails.length === 0) return 0;
  const { perMerchantADay, perNewMerchantADay, perRecipientADay } = config.mail;
  const now = clock.now();
  const newSince = new Date(now.getTime() - NEW_MS);
  const due = claimTime(clock);
  const rows = mails.map(({ scope, expiresAt, isUrgent = false, ...mail }) => ({
    merchantId: null,
    environment: null,
    ...scope,
    ...mail,
    isUrgent,
    isLink: mail.template === 'PORTAL_LINK',
    expiresAt: expiresAt ?? new Date(now.getTime() + MAIL_AGE_MS),
  }));
  const today = Prisma.sql`date_trunc('day', ${now}::timestamptz AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'`;
  const [counted] = await tx.$queryRaw<{ written: number; refused: Refused[] }[]>`
    WITH requested AS MATERIALIZED (
      SELECT r.*, row_number() OVER (PARTITION BY "merchantId", "environment", "isLink", lower("recipient")
        ORDER BY "cause") AS "toRecipient"
      FROM jsonb_to_recordset(${asRows(rows)}::jsonb) AS r("merchantId" uuid, "environment" "Environment",
        "template" text, "recipient" text, "cause" text, "content" jsonb, "isUrgent" boolean,
        "isLink" boolean, "expiresAt" timestamptz)
      WHERE NOT EXISTS (SELECT FROM "Mail" m WHERE m."cause" = r."cause" AND m."template" = r."template"
        AND m."recipient" = r."recipient")
    ), wanted AS MATERIALIZED (
      SELECT r.*, row_number() OVER scoped AS "rank", count(*) OVER scoped_all AS "of"
      FROM requested r
      WHERE r."merchantId" IS NULL OR r."toRecipient" + (SELECT count(*) FROM (
        SELECT FROM "Mail" m WHERE lower(m."recipient") = lower(r."recipient") AND m."createdAt" >= ${today}
          AND m."merchantId" = r."merchantId" AND m."environment" = r."environment"
          AND (m."template" = 'PORTAL_LINK') = r."isLink"
        LIMIT ${perRecipientADay}) AS sent) <= ${perRecipientADay}
      WINDOW scoped AS (PARTITION BY "merchantId", "environment", "isLink" ORDER BY "cause"),
        scoped_all AS (PARTITION BY "merchantId", "environment", "isLink")
    ), counted AS (
      INSERT INTO "MailSettings" AS s ("merchantId", "environment", "countedDay", "mailCount", "linkCount")
      SELECT "merchantId", "environment", ${now}::timestamptz AT TIME ZONE 'UTC',
        count(*) FILTER (WHERE NOT "isLink"), count(*) FILTER (WHERE "isLink")
      FROM wanted WHERE "merchantId" IS NOT NULL GROUP BY 1, 2 ORDER BY 1, 2
      ON CONFLICT ("merchantId", "environment") DO UPDATE SET "countedDay" = excluded."countedDay",
        "mailCount" = excluded."mailCount"
          + CASE WHEN s."countedDay" = excluded."countedDay" THEN s."mailCount" ELSE 0 END,
        "linkCount" = excluded."linkCount"
          + CASE WHEN s."countedDay" = excluded."countedDay" THEN s."linkCount" ELSE 0 END
      RETURNING s."merchantId", s."environment", s."mailCount", s."linkCount"
    ), fitting AS (
      SELECT w.* FROM wanted w LEFT JOIN counted c USING ("merchantId", "environment")
        LEFT JOIN "Merchant" m ON m."id" = w."merchantId"
      WHERE w."merchantId" IS NULL OR w."rank" - w."of"
        + CASE WHEN w."isLink" THEN c."linkCount" ELSE c."mailCount" END <=
        CASE WHEN m."createdAt" > ${newSince}::timestamptz THEN ${Math.min(perNewMerchantADay, perMerchantADay)}::int
          ELSE ${perMerchantADay}::int END
    ), written AS (
      INSERT INTO "Mail" ("id", "merchantId", "environment", "template", "recipient", "cause", "content",
        "nextAttemptAt", "expiresAt", "createdAt")
      SELECT gen_random_uuid(), "merchantId", "environment", "template", "recipient", "cause", "content",
        CASE WHEN "isUrgent" THEN ${due} - ${AHEAD} ELSE ${due} END, "expiresAt", ${now}
      FROM fitting ORDER BY "cause", "template", "recipient"
      ON CONFLICT DO NOTHING RETURNING 1
    )
    SELECT (SELECT count(*) FROM written)::int AS "written",
      (SELECT coalesce(jsonb_agg(f), '[]') FROM (
        SELECT "merchantId", "environment", "template", count(*)::int AS "refused"
        FROM (SELECT "merchantId", "environment", "template", "cause", "recipient" FROM requested
          EXCEPT ALL SELECT "merchantId", "environment", "template", "cause", "recipient" FROM fitting) AS r
        GROUP BY 1, 2, 3) AS f) AS "refused"`;
  const { written = 0, refused = [] } = counted ?? {};
  for (const mailsOfOne of refused) {
    countMails('limit', mailsOfOne.refused);
    log.warn(
      mailsOfOne,
      'mails not written: a daily limit is reached (MAILS_PER_DAY, MAILS_PER_DAY_NEW or MAILS_PER_RECIPIENT)',
    );
  }
  if (written > 0) afterCommit(tx, notifyMails);
  return written;
}

/** A link to the customer's subscriptions, which the customer asked for. */
export interface PortalLink {
  readonly scope: Scope;
  readonly email: string;
  /** Works once. It is stored encrypted. */
  readonly url: string;
  /** When the link stops working, by `ctx.wallClock`. */
  readonly expiresAt: Date;
  /** Id of the row that the link belongs to. */
  readonly id: string;
}

/**
 * Writes the mail with a link to the portal, like `writeMails`.
 */
export async function writePortalLinkMail(
  ctx: Pick<AppContext, 'config' | 'clock' | 'wallClock' | 'log'>,
  tx: DbTransaction,
  { scope, email, url, expiresAt, id }: PortalLink,
): Promise<void> {
  const link = encryptSecret(ctx.config.secretKey, url).toString('base64');
  const mail: NewMail = {
    scope,
    template: 'PORTAL_LINK',
    recipient: email,
    cause: id,
    // Mails are claimed and given up by the clock of billing.
    expiresAt: new Date(ctx.clock.now().getTime() + expiresAt.getTime() - ctx.wallClock.now().getTime()),
    isUrgent: true,
    content: { link, expiresAt: expiresAt.toISOString() },
  };
  await writeMails(ctx, tx, [mail]);
}
