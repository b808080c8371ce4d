import { builder } from '../builder.ts';

export const Customer = builder.prismaObject('Customer', {
  description: 'Who pays. One person may be several customers: one for each email and wallet.',
  fields: (t) => ({
    email: t.exposeString('email', { description: "Address from the merchant's system." }),
    customerId: t.exposeString('customerId', {
      nullable: true,
      description: "The merchant's own id of the customer; null where none was given.",
    }),
    walletAddress: t.exposeString('walletAddress', { description: 'Wallet that pays. Base58.' }),
  }),
});
