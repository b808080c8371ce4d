import type { Mirror } from './mirror.ts';
import type { Subject } from './set-aside.ts';

/** Reads again what could not be applied. What still cannot stays, and is told of. Answers with how many are left. */
export async function retryUnapplied(mirror: Mirror): Promise<number> {
  const { ctx, environment } = mirror;
  const rows = await ctx.db.unappliedUpdate.findMany({
    where: { environment, resolvedAt: null },
    orderBy: { createdAt: 'asc' },
  });
  let left = 0;
  for (const { id, kind, slot, payload } of rows) {
    try {
      await mirror.again({ kind, ...(payload as object) } as Subject, slot);
      await ctx.db.unappliedUpdate.update({ where: { id }, data: { resolvedAt: ctx.clock.now() } });
    } catch (err) {
      if (mirror.isStopped) throw err;
      left += 1;
      ctx.log.error({ err, environment, unappliedUpdate: id }, 'update still cannot be applied');
    }
  }
  return left;
}
