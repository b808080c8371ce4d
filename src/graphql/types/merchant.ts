import { builder } from '../builder.ts';
import { scopeOf } from '../context.ts';

export const Merchant = builder.prismaObject('Merchant', {
  description: 'The business that sells plans. Public: a customer sees all of it at the checkout.',
  fields: (t) => ({
    companyName: t.exposeString('companyName', { description: 'Name shown to customers.' }),
    logoUrl: t.exposeString('logoUrl', {
      nullable: true,
      description: 'URL of the logo shown to customers; null where there is none.',
    }),
    supportEmail: t.exposeString('supportEmail', {
      nullable: true,
      description: 'Where customers ask for help; null where none is given.',
    }),
    walletAddress: t.exposeString('walletAddress', {
      description: 'Wallet that owns the plans on chain and receives the money. Base58.',
    }),
  }),
});

export const Environment = builder.enumType('Environment', {
  description: 'Which network a key opens.',
  values: {
    TEST: { description: 'Devnet; keys begin with `sk_test_`.' },
    LIVE: { description: 'Mainnet; keys begin with `sk_live_`.' },
  } as const,
});

builder.queryFields((t) => ({
  merchant: t.prismaField({
    type: Merchant,
    description: 'The merchant whose key this is. Errors: `authentication_error`.',
    resolve: (query, _root, _args, context) =>
      context.app.db.merchant.findUniqueOrThrow({ ...query, where: { id: scopeOf(context).merchantId } }),
  }),
  environment: t.field({
    type: Environment,
    description: 'The environment that the key opens. Errors: `authentication_error`.',
    resolve: (_root, _args, context) => scopeOf(context).environment,
  }),
}));
