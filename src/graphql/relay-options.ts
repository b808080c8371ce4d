import { MAX_TOTAL } from '../domain/merchant/page.ts';

/** Words for what every connection has, https://relay.dev/graphql/connections.htm */
export const relayOptions = {
  cursorType: 'String',
  edgesFieldOptions: { description: 'The rows of this page, each with its cursor.' },
  nodeFieldOptions: { description: 'The row.' },
  cursorFieldOptions: { description: 'Where it stands: give it as `after` or `before`.' },
  pageInfoFieldOptions: { description: 'Whether there is more, and from where.' },
  pageInfoTypeOptions: { description: 'Whether there is more, and from where.' },
  hasNextPageFieldOptions: { description: 'Whether rows follow.' },
  hasPreviousPageFieldOptions: { description: 'Whether rows come before; told only when paging backwards.' },
  startCursorFieldOptions: { description: 'Cursor of the first row; null on an empty page.' },
  endCursorFieldOptions: { description: 'Cursor of the last row; null on an empty page.' },
  firstArgOptions: { description: 'How many rows, 1 to 100; default 20.' },
  afterArgOptions: { description: 'Only what follows this cursor.' },
  lastArgOptions: { description: 'How many rows from the end, 1 to 100.' },
  beforeArgOptions: { description: 'Only what comes before this cursor.' },
} as const;

export const TOTAL_COUNT = `Rows in all, on every page together; of payments, events, deliveries and customers ${MAX_TOTAL} stands for that many or more.`;
