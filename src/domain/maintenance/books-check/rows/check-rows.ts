import type { AppContext } from '../../../../app.ts';
import type { DbTransaction } from '../../../../db/db.ts';
import { Prisma } from '../../../../generated/prisma/client.ts';
import { upToDate } from '../../../chain-state/mirror/known-slot.ts';
import { chainOf } from '../../../kernel/access/chain-of.ts';
import { chainChecks, differencesWithChain } from './chain-checks.ts';
import { MESSAGE_CHECKS } from './message-checks.ts';
import { PAYMENT_CHECKS } from './payment-checks.ts';
import { RECEIPT_CHECKS } from './receipt-checks.ts';
import type { RowCheck, RowScope } from './row-check.ts';
import { SUBSCRIPTION_CHECKS } from './subscription-checks.ts';
import { TOTAL_CHECKS } from './total-checks.ts';

/** Maximum rows that are named for each rule. */
const MAX_NAMED = 100;
/** The longest time for all rules. They read all rows in scope, and hold no locks. */
const MAX_DURATION_MS = 6 * 60 * 60_000;

export const ROW_CHECKS: readonly RowCheck[] = [
  ...PAYMENT_CHECKS,
  ...SUBSCRIPTION_CHECKS,
  ...RECEIPT_CHECKS,
  ...MESSAGE_CHECKS,
  ...TOTAL_CHECKS,
];

/** The rows that break one rule. */
export interface WrongRows {
  readonly name: string;
  readonly problem: string;
  /** The first 100. */
  readonly rows: readonly { readonly id: string; readonly detail: string }[];
  readonly total: number;
}

/**
 * Checks that the rows of an environment agree with one another: payments with the ledger, receipts,
 * events and totals; subscriptions with their periods, numbers and dates; and plans and
 * subscriptions with the chain. It changes nothing. The rules of the database see one moment.
 *
 * @param onRule called before each rule
 */
export async function checkRows(
  ctx: Pick<AppContext, 'db' | 'clock' | 'chain'>,
  scope: Omit<RowScope, 'now'>,
  onRule: (name: string) => void = () => undefined,
): Promise<WrongRows[]> {
  const dated = { ...scope, now: ctx.clock.now() };
  const wrong = await ctx.db.$transaction(
    async (tx) => {
      await tx.$executeRaw`SET TRANSACTION READ ONLY`;
      return wrongRows(tx, dated, ROW_CHECKS, onRule);
    },
    { isolationLevel: 'RepeatableRead', timeout: MAX_DURATION_MS },
  );
  const chain = await upToDate(ctx, chainOf(ctx, scope.environment));
  for (const { name, problem, rows } of await differencesWithChain(chainChecks(ctx, chain, dated), onRule)) {
    if (rows.length > 0) wrong.push({ name, problem, rows: rows.slice(0, MAX_NAMED), total: rows.length });
  }
  return wrong;
}

/** Applies the rules that need no chain. */
export async function wrongRows(
  tx: Pick<DbTransaction, '$queryRaw'>,
  scope: RowScope,
  checks: readonly RowCheck[] = ROW_CHECKS,
  onRule: (name: string) => void = () => undefined,
): Promise<WrongRows[]> {
  const found: WrongRows[] = [];
  for (const { name, problem, wrong } of checks) {
    onRule(name);
    const rows = await tx.$queryRaw<{ id: string; detail: string; total: number }[]>(Prisma.sql`
      SELECT "id", "detail", (count(*) OVER ())::int AS "total" FROM (${wrong(scope)}) AS wrong
      ORDER BY "id" LIMIT ${MAX_NAMED}`);
    const [first] = rows;
    if (first) {
      const named = rows.map(({ id, detail }) => ({ id, detail }));
      found.push({ name, problem, rows: named, total: first.total });
    }
  }
  return found;
}
