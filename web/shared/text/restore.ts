/** Texts of the banner after the database came back. */
export const restore = {
  title: 'The database was restored, and its newest rows may be lost',
  between: (from: string, until: string) =>
    `Changes between ${from} and ${until} may be lost: cancellations, revoked API keys, settings, members and refunds.`,
  before: (until: string) =>
    `Changes shortly before ${until} may be lost: cancellations, revoked API keys, settings, members and refunds.`,
  charges: 'Charges are not lost: they were read from the chain again.',
  waiting: 'Nobody is charged until the chain has been read.',
  compare: 'Compare with what your own systems, mailboxes and team know of this time:',
  events: 'Events that are left of this time',
  eventsHint: 'Your systems may have received webhooks that are not listed.',
  subscriptions: 'Subscriptions',
  subscriptionsHint: 'Cancel again what was cancelled, before its next charge.',
  keys: 'API keys',
  keysHint: 'Revoke again what was revoked. Keys that were created must be created again.',
  team: 'Team',
  teamHint: 'Remove again who was removed.',
  payments: 'Payments of this time',
  paymentsHint: 'Before you refund again, look at the transfers of your wallet.',
  settings: 'Settings',
  webhooks: 'Webhooks',
  setupHint: 'Change again what was changed, also plans and payment links.',
  audit: 'Audit log of this time',
  auditHint: 'It shows what was not lost.',
  checked: 'We have checked',
  checkedHint: 'Closes this notice for the whole team.',
  thanks: 'The notice is closed for the whole team.',
};
