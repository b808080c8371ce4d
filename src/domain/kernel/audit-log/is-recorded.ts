import type { AppContext } from '../../../app.ts';
import type { KeptChange } from '../../../jobs/kept-changes.ts';

/** Whether the database has a kept change: the change and its entry in the audit log were one transaction. */
export async function isRecorded(
  { db }: Pick<AppContext, 'db'>,
  { id: targetId, kind: action, merchantId, at }: KeptChange,
): Promise<boolean> {
  const where = { merchantId, targetId, action, createdAt: { gte: new Date(at) } };
  return (await db.auditEntry.count({ where })) > 0;
}
