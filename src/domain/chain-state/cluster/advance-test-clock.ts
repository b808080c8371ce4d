import type { AppContext } from '../../../app.ts';
import * as cluster from '../../../chain/move-time.ts';
import { advisoryLock } from '../../../db/advisory-locks.ts';
import { BillingError, invalidRequest } from '../../../errors.ts';
import { type Environment, Prisma } from '../../../generated/prisma/client.ts';
import { chainOf } from '../../kernel/access/chain-of.ts';
import type { ActingScope } from '../../kernel/audit-log/actor.ts';
import { newFields } from '../../kernel/audit-log/changed-fields.ts';
import { recordAudit } from '../../kernel/audit-log/record-audit.ts';

/** 400 days: more than the longest billing interval. */
const MAX_SECONDS = 400 * 86_400;

/**
 * Whether the time of billing can be moved in an environment: only in TEST, and if billing uses
 * the cluster's clock and the cluster has a cheat code for it.
 */
export async function canMoveTime(
  { config, chain }: Pick<AppContext, 'config' | 'chain'>,
  environment: Environment,
): Promise<boolean> {
  const { [environment]: testChain } = chain;
  // LIVE would use the same clock of this process.
  if (config.clusters.LIVE || environment !== 'TEST' || config.clock !== 'chain' || !testChain) return false;
  return cluster.canMoveTime(testChain);
}

/**
 * Moves the time of the test environment forward, for all merchants of this service: payments that
 * are then due are collected at once. Open checkouts expire; sessions of people do not.
 *
 * @returns the new time
 * @throws BillingError invalid_request, param `seconds` if it is out of bounds; without a param if
 *   the time cannot be moved
 */
export async function advanceTestClock(
  ctx: Pick<AppContext, 'config' | 'db' | 'chain' | 'away' | 'clock'>,
  scope: ActingScope,
  { seconds }: { readonly seconds: number },
): Promise<Date> {
  if (seconds < 1 || seconds > MAX_SECONDS) {
    throw invalidRequest('seconds', `seconds must be 1 to ${MAX_SECONDS}.`);
  }
  if (!(await canMoveTime(ctx, scope.environment))) {
    throw new BillingError(
      'invalid_request',
      'The time cannot be moved here: only in TEST on a local network whose clock billing follows.',
    );
  }
  const chain = chainOf(ctx, scope.environment);
  const movedTo = await ctx.db.$transaction(async (tx) => {
    // One move at a time, because a target in the past is refused.
    await tx.$executeRaw(Prisma.sql`SELECT ${Prisma.raw(advisoryLock('testClock'))}`);
    const changes = newFields({ seconds });
    await recordAudit(ctx, tx, scope, {
      action: 'test_clock.advanced',
      targetId: scope.environment,
      changes,
    });
    return cluster.moveTime(chain, seconds);
  });
  await ctx.clock.sync?.();
  return movedTo;
}
