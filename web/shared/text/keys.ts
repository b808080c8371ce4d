/** Texts of the API keys. */
export const keys = {
  title: 'API keys',
  description: (environment: string) =>
    `Your backend uses them to call the API in ${environment}. The other environment has its own.`,
  create: 'Create a key',
  createTitle: (environment: string) => `Create a ${environment} key`,
  name: 'Name',
  nameHint: 'Where it is used, for example Shop backend.',
  key: 'Key',
  scopes: 'Permissions',
  scopeNames: { READ: 'Read', CHECKOUT: 'Checkout', WRITE: 'Write' },
  scopeHints: {
    READ: 'Queries and live updates.',
    CHECKOUT: 'Opens checkouts for customers.',
    WRITE: 'All other changes: plans, webhooks, cancellations, keys.',
  },
  scopesMissing: 'Choose at least one permission.',
  expiry: 'Expires',
  expiryHint: 'A key that expires must be replaced in time.',
  expiries: { 0: 'Never', 7: 'In 7 days', 30: 'In 30 days', 90: 'In 90 days', 365: 'In a year' },
  status: 'Status',
  lastUsed: 'Last used',
  never: 'Never',
  created: 'Created',
  actions: 'Actions',
  active: 'Active',
  expires: 'Expires',
  expired: 'Expired',
  revoked: 'Revoked',
  replaced: 'Replaced',
  worksUntil: 'Stops',
  empty: 'No API key yet',
  emptyHint:
    'A key lets your backend open checkouts, read subscriptions and follow payments. Its secret is shown once, when you create it.',
  secretTitle: 'Copy the key now',
  secretHint:
    'It is shown only this once. Keep it in the secrets of your backend, never in a page or an app.',
  createdDone: 'Key created.',

  rotate: 'Rotate',
  rotateTitle: (name: string) => `Rotate ${name}`,
  rotateHint:
    'You get a new key with the same permissions. The old one works until you have replaced it everywhere.',
  overlap: 'The old key works for',
  overlaps: {
    0: 'No longer: it stops at once',
    3600: '1 hour',
    86400: '24 hours',
    604800: '7 days',
    2592000: '30 days',
  },
  rotateAction: 'Rotate the key',

  revoke: 'Revoke',
  revokeTitle: (name: string) => `Revoke ${name}`,
  revokeHint: (key: string) =>
    `Requests with ${key} are refused at once, and its live connections are closed. This cannot be undone.`,
  revokeUnused: 'It was never used.',
  revokeUsed: 'It was last used',
  revokeAction: 'Revoke the key',
  revokedDone: 'Key revoked.',
} as const;
