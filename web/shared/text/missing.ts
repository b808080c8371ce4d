/** Texts of the page for an address that leads nowhere. */
export const missing = {
  documentTitle: 'No such page',
  title: 'No page has this address',
  /** Two links follow one another in the text. */
  toPortal: 'The link may be old or incomplete. If you pay for a subscription, open',
  portal: 'your subscriptions',
  toDashboard: 'If you sell one, open the',
  dashboard: 'dashboard',
} as const;
