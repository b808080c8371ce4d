import type { DbTransaction } from '../../../db/db.ts';
import type { Scope } from '../../kernel/access/scope.ts';
import { merchantTemplates, type TemplateName, templateOf } from './templates.ts';

/** The mails that a merchant has chosen in one environment. */
export interface MailSettings {
  /** The templates that are on. */
  readonly templates: readonly TemplateName[];
  /** Receives the mails for the merchant; null if there are none. */
  readonly merchantEmail: string | null;
  /** Days before a renewal at which customers are reminded of it. */
  readonly reminderDays: number;
}

/** Everything is off until the merchant switches it on: docs/decisions/0025-mail.md. */
export const DEFAULT_MAIL_SETTINGS: MailSettings = { templates: [], merchantEmail: null, reminderDays: 7 };

/** The templates that merchants switch on and off. */
export const switchedTemplates = merchantTemplates.filter((name) => templateOf(name).isSwitched);

/** The merchant's mail settings in this environment, or the defaults. */
export async function mailSettingsOf(
  db: Pick<DbTransaction, 'mailSettings'>,
  { merchantId, environment }: Scope,
): Promise<MailSettings> {
  const row = await db.mailSettings.findUnique({
    where: { merchantId_environment: { merchantId, environment } },
    select: { templates: true, merchantEmail: true, reminderDays: true },
  });
  if (!row) return DEFAULT_MAIL_SETTINGS;
  // In the order of the catalog, and without templates of another release.
  const templates = switchedTemplates.filter((name) => row.templates.includes(name));
  return { ...row, templates };
}
