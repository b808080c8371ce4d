import type { AppContext } from '../../../app.ts';
import type { Prisma } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../kernel/access/scope.ts';
import { type EventFilter, eventsWhere } from '../../messages/event/events-where.ts';
import type { Columns } from './csv.ts';
import type { CsvSource } from './export-csv.ts';
import { pageAfter } from './page-after.ts';

const include = { subscription: { select: { address: true } } } satisfies Prisma.EventInclude;

type Row = Prisma.EventGetPayload<{ include: typeof include }>;

const columns: Columns<Row> = {
  id: ({ id }) => id,
  event: ({ type }) => type,
  subscriptionId: ({ subscription }) => subscription?.address ?? null,
  sequence: ({ sequence }) => sequence,
  createdAt: ({ createdAt }) => createdAt,
  data: ({ data }) => JSON.stringify(data),
};

/**
 * Exports the events that match a filter.
 *
 * @throws BillingError invalid_request, param `type`, `subscriptionId` or `to`
 */
export async function eventsExport(
  { db }: Pick<AppContext, 'db'>,
  scope: Scope,
  filter: EventFilter,
): Promise<CsvSource<Row>> {
  const where = await eventsWhere(db, scope, filter);
  return {
    columns,
    read: (position, take) => db.event.findMany({ ...pageAfter(where, position, take), include }),
  };
}
