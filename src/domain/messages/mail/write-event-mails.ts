import type { AppContext } from '../../../app.ts';
import type { DbTransaction } from '../../../db/db.ts';
import { Prisma } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../kernel/access/scope.ts';
import type { NewEvent } from '../event/take-new-events.ts';
import { type TemplateName, templateNames, templateOf } from './templates.ts';
import { writeMails } from './write-mails.ts';

/** The events that cause mails, with their templates. */
const EVENT_TEMPLATES = templateNames.flatMap((template) => {
  const { event, to } = templateOf(template);
  return event ? [{ template, event, to }] : [];
});
const TYPES: ReadonlySet<string> = new Set(EVENT_TEMPLATES.map(({ event }) => event));
const BY_TYPE = Prisma.join(
  EVENT_TEMPLATES.map(({ event, template, to }) => Prisma.sql`(${event}, ${template}, ${to})`),
);

/**
 * Writes the mails of relayed events that their merchants want. Each event is relayed once, so each
 * mail is written once.
 *
 * - PAYMENT_FAILED is for the first failure of a payment, unless that was also the last: then the
 *   customer gets EXPIRED. With the policy UNTIL_PAID it is also for the last failure, and not again for
 *   later payments until the subscription was ACTIVE: the cause is its change to PAST_DUE.
 * - FIRST_SALE is for the merchant's earliest payment.
 * - Sample events write none, because they name real customers.
 */
export async function writeEventMails(
  ctx: Pick<AppContext, 'config' | 'clock' | 'log'>,
  tx: DbTransaction,
  events: readonly NewEvent[],
): Promise<void> {
  if (!ctx.config.mail) return;
  const ids = events.filter(({ type }) => TYPES.has(type)).map(({ id }) => id);
  if (ids.length === 0) return;
  const rows = await tx.$queryRaw<EventMailRow[]>`
    SELECT e."id" AS "eventId", e."merchantId", e."environment", by_type."template",
      CASE by_type."to" WHEN 'MERCHANT' THEN s."merchantEmail" ELSE e."data"->'customer'->>'email' END AS "recipient",
      CASE WHEN e."data"->>'noRetryReason' = 'UNTIL_PAID' THEN (
        SELECT 'unpaid ' || t."id" FROM "SubscriptionTransition" t
        WHERE t."subscriptionId" = e."subscriptionId" AND t."to" = 'PAST_DUE' AND t."at" <= e."createdAt"
        ORDER BY t."at" DESC LIMIT 1) END AS "cause"
    FROM "Event" e
    JOIN "MailSettings" s ON s."merchantId" = e."merchantId" AND s."environment" = e."environment"
    JOIN (VALUES ${BY_TYPE}) AS by_type("event", "template", "to")
      ON by_type."event" = e."type" AND by_type."template" = ANY (s."templates")
    WHERE e."id" = ANY (${ids}::uuid[])
      AND (by_type."to" <> 'MERCHANT' OR s."merchantEmail" IS NOT NULL)
      AND NOT (e."environment" = 'TEST' AND e."data" @> '{"metadata":{"sample":true}}')
      AND (by_type."template" <> 'PAYMENT_FAILED'
        OR e."data"->>'noRetryReason' = 'UNTIL_PAID'
        OR (e."data"->>'failureCount' = '1' AND e."data"->>'nextAttemptDate' IS NOT NULL))
      AND (by_type."template" <> 'FIRST_SALE' OR (e."data"->>'paymentNumber' = '1' AND (e."data"->>'paymentId')::uuid = (
        SELECT p."id" FROM "Payment" p WHERE p."merchantId" = e."merchantId" AND p."environment" = e."environment"
          AND p."status" = 'SUCCEEDED' ORDER BY p."createdAt", p."id" LIMIT 1)))`;
  await writeMails(
    ctx,
    tx,
    rows.map(({ eventId, merchantId, environment, template, recipient, cause }) => ({
      scope: { merchantId, environment },
      template,
      recipient,
      cause: template === 'FIRST_SALE' ? firstSaleCause({ merchantId, environment }) : (cause ?? eventId),
      content: { eventId },
    })),
  );
}

/** The cause of the mail about a merchant's first sale, of which there is one per environment. */
export function firstSaleCause({ merchantId, environment }: Scope): string {
  return `first sale ${merchantId} ${environment}`;
}

interface EventMailRow {
  readonly eventId: string;
  readonly merchantId: string;
  readonly environment: 'TEST' | 'LIVE';
  readonly template: TemplateName;
  readonly recipient: string;
  /** The cause if it is not the event: then later events cause no second mail. */
  readonly cause: string | null;
}
