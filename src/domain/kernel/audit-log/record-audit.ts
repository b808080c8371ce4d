import type { AppContext } from '../../../app.ts';
import type { DbTransaction } from '../../../db/db.ts';
import type { Environment, Prisma } from '../../../generated/prisma/client.ts';
import type { AuditAction } from './actions.ts';
import { type ActingForMerchant, type Actor, OPERATOR } from './actor.ts';
import type { FieldChanges } from './changed-fields.ts';

/** Longer values are cut, because the client chooses the length of its header. */
export const MAX_USER_AGENT = 300;

export interface AuditedChange {
  readonly action: AuditAction;
  /** Id of the changed object in the merchant's API. */
  readonly targetId: string;
  /** From `newFields` or `changedFields`; none if the action says everything. */
  readonly changes?: FieldChanges;
}

/**
 * Records a change in the audit log, in the transaction of the change. A scope without an
 * environment means both environments.
 */
export async function recordAudit(
  { clock }: Pick<AppContext, 'clock'>,
  tx: Pick<DbTransaction, 'auditEntry' | 'apiKey'>,
  { merchantId, environment, actor = OPERATOR }: ActingForMerchant & { readonly environment?: Environment },
  { action, targetId, changes = {} }: AuditedChange,
): Promise<void> {
  await tx.auditEntry.create({
    data: {
      merchantId,
      environment: environment ?? null,
      action,
      targetId,
      changes: changes as unknown as Prisma.InputJsonObject,
      actor: actor.kind,
      actorId: actor.id,
      actorName: await nameOf(tx, actor),
      ipAddress: actor.ipAddress ?? null,
      userAgent: actor.userAgent?.slice(0, MAX_USER_AGENT) ?? null,
      requestId: actor.requestId ?? null,
      createdAt: clock.now(),
    },
  });
}

async function nameOf(tx: Pick<DbTransaction, 'apiKey'>, actor: Actor): Promise<string | null> {
  if (actor.kind !== 'API_KEY' || actor.id === null) return actor.walletAddress ?? null;
  const { name, lastFour } = await tx.apiKey.findUniqueOrThrow({ where: { id: actor.id } });
  return `${name} (${lastFour})`;
}
