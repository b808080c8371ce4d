import { type ResolveCursorConnectionArgs, resolveCursorConnection } from '@pothos/plugin-relay';
import type { Db } from '../../../db/db.ts';
import { type HistoryEntry, subscriptionHistory } from '../../../domain/billing/read/subscription-history.ts';
import { DEFAULT_LIMIT, MAX_LIMIT } from '../../../domain/kernel/paging/numbered-page.ts';
import { invalidRequest } from '../../../errors.ts';
import { builder } from '../builder.ts';
import { Event } from './event.ts';
import { Attempt, Payment } from './payment.ts';
import { BillingSubscription, SubscriptionTransition } from './subscription.ts';

const TYPES = {
  transition: 'SubscriptionTransition',
  payment: 'Payment',
  attempt: 'Attempt',
  event: 'Event',
} as const satisfies Record<HistoryEntry['kind'], string>;

const HistoryItem = builder.unionType('HistoryItem', {
  description: 'The object of an entry in the history of a subscription.',
  types: [SubscriptionTransition, Payment, Attempt, Event],
  resolveType: (row) => TYPES[(row as unknown as { entry: HistoryEntry['kind'] }).entry],
});

const HistoryEntryRef = builder.objectRef<HistoryEntry>('HistoryEntry').implement({
  description: 'An entry of the history of a subscription.',
  fields: (t) => ({
    at: t.expose('at', {
      type: 'DateTime',
      description: 'Time of the entry; for a payment the later of its due date and its creation.',
    }),
    item: t.field({
      type: HistoryItem,
      description: 'The change of status, payment, attempt or event.',
      resolve: ({ row, kind }) => ({ ...row, entry: kind }),
    }),
  }),
});

builder.prismaObjectFields(BillingSubscription, (t) => ({
  history: t.connection(
    {
      type: HistoryEntryRef,
      description:
        'History of the subscription, newest first: changes of status, payments, attempts and events. Errors: `invalid_request` for a page out of range.',
      resolve: async ({ id }, args, { app }) => {
        const range = { args, defaultSize: DEFAULT_LIMIT, maxSize: MAX_LIMIT, toCursor };
        const connection = await resolveCursorConnection<Promise<HistoryEntry[]>>(range, (page) =>
          entriesOf(app.db, id, page),
        );
        const { startCursor, endCursor } = connection.pageInfo;
        const pageInfo = {
          ...connection.pageInfo,
          startCursor: startCursor || null,
          endCursor: endCursor || null,
        };
        return { ...connection, pageInfo };
      },
    },
    { name: 'SubscriptionHistoryConnection', description: "A page of a subscription's history." },
    {
      name: 'SubscriptionHistoryEdge',
      description: "One entry of a subscription's history, with its cursor.",
    },
  ),
}));

async function entriesOf(
  db: Db,
  subscriptionId: string,
  { after, before, limit, inverted }: ResolveCursorConnectionArgs,
): Promise<HistoryEntry[]> {
  const [param, cursor] = inverted ? ['before', before] : ['after', after];
  const beyond = cursor === undefined ? undefined : entryId(cursor);
  const towards = inverted ? 'newer' : 'older';
  const entries = await subscriptionHistory(db, subscriptionId, { beyond, towards, limit });
  if (entries) return entries;
  throw invalidRequest(`${param}`, `${param} must be a cursor from an earlier response.`);
}

// The same format as all other cursors, which the argument rules require.
const CURSOR = 'GPC:S:';

function toCursor({ id }: HistoryEntry): string {
  return Buffer.from(`${CURSOR}${id}`).toString('base64');
}

function entryId(cursor: string): string {
  return Buffer.from(cursor, 'base64').toString().slice(CURSOR.length);
}
