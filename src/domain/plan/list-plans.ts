import type { AppContext } from '../../app.ts';
import type { Plan, PlanStatus } from '../../generated/prisma/client.ts';
import { type Page, type PageInput, readPage } from '../merchant/page.ts';
import { NEWEST_FIRST } from '../merchant/place.ts';
import type { Scope } from '../merchant/scope.ts';

/** Newest first. @throws BillingError invalid_request, param `page` or `limit` */
export function listPlans(
  { db }: Pick<AppContext, 'db'>,
  { merchantId, environment }: Scope,
  { status, ...page }: PageInput & { readonly status?: PlanStatus | undefined } = {},
): Promise<Page<Plan>> {
  const where = { merchantId, environment, ...(status && { status }) };
  return readPage(
    page,
    (range) => db.plan.findMany({ where, orderBy: NEWEST_FIRST, ...range }),
    () => db.plan.count({ where }),
  );
}
