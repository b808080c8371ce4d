/** Texts of the start page of the service. */
export const welcome = {
  title: 'dues',
  hint: 'Recurring billing for merchants on Solana.',
  doors: [
    {
      path: '/dashboard/',
      name: 'Dashboard',
      hint: 'You sell: plans, customers, payments and webhooks.',
    },
    { path: '/portal', name: 'Portal', hint: 'You pay: see, cancel or repair your subscriptions.' },
    { path: '/docs', name: 'Documentation', hint: 'You build or run it: guides and reference.' },
  ],
  programs: 'For programs: POST to',
} as const;
