import type { AppContext } from '../../../app.ts';
import type { DbTransaction } from '../../../db/db.ts';
import { invalidRequest } from '../../../errors.ts';
import type { Scope } from '../../kernel/access/scope.ts';
import type { ActingScope } from '../../kernel/audit-log/actor.ts';
import { changedFields } from '../../kernel/audit-log/changed-fields.ts';
import { recordAudit } from '../../kernel/audit-log/record-audit.ts';
import { validEmail } from '../../kernel/input/valid-text.ts';
import { type MailSettings, mailSettingsOf, switchedTemplates } from './mail-settings.ts';
import { isTemplate, type TemplateName, templateOf } from './templates.ts';

const MAX_REMINDER_DAYS = 30;

/** Omitted settings stay unchanged. */
export interface MailSettingsChanges {
  readonly templates?: readonly TemplateName[] | undefined;
  /** Null removes it. */
  readonly merchantEmail?: string | null | undefined;
  readonly reminderDays?: number | undefined;
}

/**
 * Changes which mails are sent in one environment from now on. Mails that are already written are
 * still sent.
 *
 * @throws BillingError invalid_request, param `templates`, `merchantEmail` or `reminderDays`
 */
export async function updateMailSettings(
  ctx: Pick<AppContext, 'db' | 'clock'>,
  scope: ActingScope,
  { templates, merchantEmail, reminderDays }: MailSettingsChanges,
): Promise<MailSettings> {
  const changed = {
    ...(templates && { templates: validTemplates(templates) }),
    ...(merchantEmail !== undefined && {
      merchantEmail: merchantEmail === null ? null : validEmail('merchantEmail', merchantEmail),
    }),
    ...(reminderDays !== undefined && { reminderDays: validDays(reminderDays) }),
  };
  const { merchantId, environment } = scope;
  const key = { merchantId, environment };
  return ctx.db.$transaction(async (tx) => {
    const before = await mailSettingsOf(tx, key);
    const after = { ...before, ...changed };
    if (after.merchantEmail === null && after.templates.some((name) => templateOf(name).to === 'MERCHANT')) {
      throw invalidRequest('merchantEmail', 'merchantEmail is needed for the mails to the merchant.');
    }
    const changes = changedFields({ ...before }, changed);
    if (Object.keys(changes).length === 0) return before;
    const kept = changed.templates ? await templatesOfNewerRelease(tx, key) : [];
    await tx.mailSettings.upsert({
      where: { merchantId_environment: key },
      create: { ...key, ...changed },
      update: { ...changed, ...(changed.templates && { templates: [...changed.templates, ...kept] }) },
    });
    await recordAudit(ctx, tx, scope, { action: 'mail_settings.updated', targetId: merchantId, changes });
    return mailSettingsOf(tx, key);
  });
}

/** The switched-on templates that only a newer release has. They stay on. */
async function templatesOfNewerRelease(tx: DbTransaction, key: Scope): Promise<string[]> {
  const where = { merchantId_environment: key };
  const row = await tx.mailSettings.findUnique({ where, select: { templates: true } });
  return row?.templates.filter((name) => !isTemplate(name)) ?? [];
}

function validTemplates(names: readonly TemplateName[]): TemplateName[] {
  const chosen = switchedTemplates.filter((name) => names.includes(name));
  const fixed = names.find((name) => !switchedTemplates.includes(name));
  if (fixed === undefined) return chosen;
  throw invalidRequest(
    'templates',
    `${fixed} cannot be switched on or off; templates may contain ${switchedTemplates.join(', ')}.`,
  );
}

function validDays(days: number): number {
  if (Number.isInteger(days) && days >= 1 && days <= MAX_REMINDER_DAYS) return days;
  throw invalidRequest('reminderDays', `reminderDays must be a whole number from 1 to ${MAX_REMINDER_DAYS}.`);
}
