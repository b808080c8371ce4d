export const plans = {
  title: 'Plans',
  description: 'What your customers subscribe to: a price and an interval, published on chain.',
  create: 'Create plan',
  status: 'Status',
  name: 'Plan',
  price: 'Price',
  subscribers: 'Active',
  subscribersTitle: 'Active and past-due subscriptions',
  revenue: 'Collected',
  published: 'Published',
  trial: (duration: string) => `${duration} free`,
  problem: 'Cannot collect',
  ends: 'Ends',
  empty: 'No plans yet',
  emptyHint:
    'A plan has a price, a token and an interval. You create a draft, sign one transaction with your wallet, and customers can subscribe.',
} as const;
