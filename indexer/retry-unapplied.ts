import type { Mirror } from './mirror.ts';
import type { Subject } from './set-aside.ts';

/** What failed because a node was behind or away comes right within this; what does not needs somebody to look at it. */
const RECENT_MS = 60_000;

/** Reads again what could not be applied. What still cannot stays, and is told of again. */
export async function retryUnapplied(mirror: Mirror, which: 'recent' | 'all'): Promise<void> {
  const { ctx, environment } = mirror;
  const since = new Date(ctx.clock.now().getTime() - RECENT_MS);
  const rows = await ctx.db.unappliedUpdate.findMany({
    where: { environment, resolvedAt: null, ...(which === 'recent' && { createdAt: { gte: since } }) },
    orderBy: { createdAt: 'asc' },
  });
  for (const { id, kind, slot, payload } of rows) {
    try {
      await mirror.again({ kind, ...(payload as object) } as Subject, slot);
      await ctx.db.unappliedUpdate.update({ where: { id }, data: { resolvedAt: ctx.clock.now() } });
    } catch (err) {
      if (mirror.isStopped) throw err;
      ctx.log.error({ err, environment, unappliedUpdate: id }, 'update still cannot be applied');
    }
  }
}
