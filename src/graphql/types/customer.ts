import { NEWEST_FIRST } from '../../domain/merchant/place.ts';
import { builder } from '../builder.ts';

export const Customer = builder.prismaObject('Customer', {
  description: 'Who pays. One person may be several customers: one for each email and wallet.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'A UUID.' }),
    email: t.exposeString('email', { description: "Address from the merchant's system." }),
    customerId: t.exposeString('customerId', {
      nullable: true,
      description: "The merchant's own id of the customer; null where none was given.",
    }),
    walletAddress: t.exposeString('walletAddress', { description: 'Wallet that pays. Base58.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was first known here.' }),
    subscriptions: t.relatedConnection(
      'subscriptions',
      {
        cursor: 'id',
        query: { orderBy: NEWEST_FIRST },
        totalCount: true,
        description:
          'What it subscribed to, newest first. Errors: `invalid_request` for a page out of range.',
      },
      { name: 'CustomerSubscriptionConnection', description: "A page of a customer's subscriptions." },
      { name: 'CustomerSubscriptionEdge', description: "One of a customer's subscriptions." },
    ),
  }),
});
