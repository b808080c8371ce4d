import { builder } from '../builder.ts';
import { scopeOf } from '../context.ts';

export const Merchant = builder.prismaObject('Merchant', {
  description:
    'A business that sells plans. All fields are public: the checkout page or the receipts show them.',
  requires: null,
  fields: (t) => ({
    companyName: t.exposeString('companyName', { description: 'Name shown to customers.' }),
    logoUrl: t.exposeString('logoUrl', {
      nullable: true,
      description: 'URL of the logo shown to customers; null if there is none.',
    }),
    brandColor: t.exposeString('brandColor', {
      nullable: true,
      description:
        'Colour of buttons and links on the pages and in the mails for customers, as `#rrggbb`; null for the default colour.',
    }),
    supportEmail: t.exposeString('supportEmail', {
      nullable: true,
      description: 'Email address for customers who need help; null if there is none.',
    }),
    legalName: t.exposeString('legalName', {
      nullable: true,
      description: 'Name of the seller on receipts; null if receipts show `companyName`.',
    }),
    postalAddress: t.exposeString('postalAddress', {
      nullable: true,
      description: 'Postal address of the seller on receipts, in lines; null if none was given.',
    }),
    taxId: t.exposeString('taxId', {
      nullable: true,
      description: 'Tax number of the seller on receipts; null if none was given.',
    }),
    walletAddress: t.exposeString('walletAddress', {
      description: 'Wallet that owns the plans on chain and receives the money. Base58.',
    }),
  }),
});

export const Environment = builder.enumType('Environment', {
  description: 'The Solana network that an API key works on.',
  values: {
    TEST: { description: 'Devnet; keys begin with `sk_test_`.' },
    LIVE: { description: 'Mainnet; keys begin with `sk_live_`.' },
  } as const,
});

builder.queryFields((t) => ({
  merchant: t.prismaField({
    type: Merchant,
    description: 'The merchant that makes this request. Errors: `authentication_error`.',
    resolve: (query, _root, _args, context) =>
      context.app.db.merchant.findUniqueOrThrow({ ...query, where: { id: scopeOf(context).merchantId } }),
  }),
  environment: t.field({
    type: Environment,
    description:
      'The environment of this request: that of the API key, or the one that the signed-in member chose. Errors: `authentication_error`.',
    resolve: (_root, _args, context) => scopeOf(context).environment,
  }),
}));
