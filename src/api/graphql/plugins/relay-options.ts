import { MAX_TOTAL } from '../../../domain/kernel/paging/numbered-page.ts';

/** Descriptions of the parts of every connection: https://relay.dev/graphql/connections.htm */
export const relayOptions = {
  cursorType: 'String',
  edgesFieldOptions: { description: 'Items of this page, each with its cursor.' },
  nodeFieldOptions: { description: 'The item at this edge.' },
  cursorFieldOptions: { description: 'Cursor of the item, for `after` or `before`.' },
  pageInfoFieldOptions: { description: 'Whether there are more pages, and their cursors.' },
  pageInfoTypeOptions: { description: 'Whether there are more pages, and their cursors.' },
  hasNextPageFieldOptions: { description: 'Whether there are items after this page.' },
  hasPreviousPageFieldOptions: {
    description:
      'Whether there are items before this page. When you page forwards, it is true if `after` was given.',
  },
  startCursorFieldOptions: { description: 'Cursor of the first item; null on an empty page.' },
  endCursorFieldOptions: { description: 'Cursor of the last item; null on an empty page.' },
  firstArgOptions: { description: 'Number of items from the beginning, 1 to 100; default 20.' },
  afterArgOptions: { description: 'Only items after this cursor.' },
  lastArgOptions: { description: 'Number of items from the end, 1 to 100.' },
  beforeArgOptions: { description: 'Only items before this cursor.' },
} as const;

export const TOTAL_COUNT = `Number of items on all pages. For payments, receipts, refunds, events, deliveries and customers ${MAX_TOTAL} means "${MAX_TOTAL} or more".`;
