import { updateProfile } from '../../../domain/merchant/update-profile.ts';
import { actingForMerchant } from '../acting-scope.ts';
import { builder } from '../builder.ts';
import { ownerOf } from '../member.ts';
import { Merchant } from '../types/merchant.ts';

const MerchantProfileInput = builder.inputType('MerchantProfileInput', {
  description: 'The fields to change; others stay unchanged.',
  fields: (t) => ({
    companyName: t.string({ description: '1 to 200 characters.' }),
    logoUrl: t.string({ description: 'An https URL; null removes the logo.' }),
    brandColor: t.string({ description: 'A colour, `#rrggbb`; null for the default.' }),
    supportEmail: t.string({ description: 'An email address; null removes it.' }),
    legalName: t.string({
      description: 'Name of the seller on later receipts, 1 to 200 characters; null removes it.',
    }),
    postalAddress: t.string({
      description: 'Postal address on later receipts, at most 8 lines and 500 characters; null removes it.',
    }),
    taxId: t.string({
      description: 'Number for taxes on later receipts, 1 to 50 characters; null removes it.',
    }),
  }),
});

builder.mutationFields((t) => ({
  updateMerchantProfile: t.field({
    type: Merchant,
    args: { input: t.arg({ type: MerchantProfileInput, required: true, description: 'The profile.' }) },
    description:
      'Changes what customers see of the merchant, in both environments. The wallet cannot change, because it is part of every plan on chain. For owners only. Errors: `authentication_error`; `invalid_request`, param as in the input.',
    resolve: (_root, { input }, context) => {
      ownerOf(context);
      return updateProfile(context.app, actingForMerchant(context), {
        ...input,
        companyName: input.companyName ?? undefined,
      });
    },
  }),
}));
