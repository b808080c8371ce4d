import { builder } from '../builder.ts';

export const Price = builder.prismaObject('Price', {
  description:
    "A version of a plan's price. It never changes. A new version is for new subscriptions; existing ones keep theirs.",
  requires: null,
  fields: (t) => ({
    id: t.exposeID('id', { description: 'A UUID.' }),
    version: t.exposeInt('version', { description: 'Number among the prices of the plan, from 1.' }),
    amount: t.expose('amount', {
      type: 'TokenAmount',
      description: "Price of one interval, in base units of the plan's mint.",
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the price was created.' }),
    retiredAt: t.expose('retiredAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Since when no new checkout gets this price; null if a checkout can name it.',
    }),
  }),
});
