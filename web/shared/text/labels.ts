/** Texts that several pages share. The texts of one page are in a file of their own. */
export const labels = {
  loading: 'Loading',
  retry: 'Try again',
  cancel: 'Cancel',
  close: 'Close',
  copy: 'Copy',
  copied: 'Copied',
  previous: 'Previous',
  next: 'Next',
  all: 'All',
  clearFilters: 'Clear filters',
  filters: 'Filters',
  moreFilters: (set: number) => (set === 0 ? 'More filters' : `More filters (${set} set)`),
  fewerFilters: 'Fewer filters',
  nothingFound: 'Nothing matches these filters',
  nothingFoundHint: 'Change or clear the filters to see more.',
  addressInvalid: 'Enter an address that begins with https://.',
  failed: 'This could not be loaded',
  requestId: 'Request',
  graphql: 'GraphQL',
  graphqlTitle: 'GraphQL for this page',
  graphqlHint: 'Run it with an API key that has the Read permission.',
  variables: 'Variables',
  explorer: 'Open in block explorer',
  exportCsv: 'Export CSV',
  exporting: (rows: number, total?: number) => {
    const format = new Intl.NumberFormat();
    // The API counts to 100,000.
    const isKnown = total !== undefined && total < 100_000;
    return `${format.format(rows)}${isKnown ? ` of ${format.format(total)}` : ''} rows`;
  },
  stopExport: 'Stop the export',
  /** The API counts to 100,000. */
  total: (count: number) =>
    `${new Intl.NumberFormat().format(count)}${count === 100_000 ? ' or more' : ''} in total`,
  showTable: 'Show as table',
  previousPeriod: 'Previous period',
  noChange: 'No change',
  fewerThanBefore: 'Down to zero',
  readOnly: 'Your role is read-only. Ask an owner for the Developer role.',
  ownersOnly: 'Only owners can do this.',
  liveTitle: 'You are in LIVE',
  liveHint: 'This affects real customers and real money.',
  liveConfirm: 'Type LIVE to confirm',
  notFound: 'Not found',
  notFoundHint: 'It does not exist, or belongs to another merchant or environment.',
} as const;
