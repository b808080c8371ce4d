import { updateProfile } from '../../../domain/accounts/merchant/update-profile.ts';
import { actingForMerchant } from '../arguments/acting-scope.ts';
import { builder } from '../builder.ts';
import { ownerOf } from '../loaders/member.ts';
import { Merchant } from '../types/merchant.ts';

const MerchantProfileInput = builder.inputType('MerchantProfileInput', {
  description: 'The fields to change; others stay unchanged.',
  fields: (t) => ({
    companyName: t.string({ description: 'Name shown to customers, 1 to 200 characters.' }),
    logoUrl: t.string({ description: 'URL of the logo, with https; null removes it.' }),
    brandColor: t.string({
      description:
        'Colour of buttons and links on the pages and in the mails for customers, as `#rrggbb`; null for the default colour. Links are darkened on light pages, and lightened on dark pages, until they can be read.',
    }),
    supportEmail: t.string({ description: 'Email address for customers who need help; null removes it.' }),
    legalName: t.string({
      description: 'Name of the seller on later receipts, 1 to 200 characters; null removes it.',
    }),
    postalAddress: t.string({
      description: 'Postal address on later receipts, at most 8 lines and 500 characters; null removes it.',
    }),
    taxId: t.string({
      description: 'Tax number on later receipts, 1 to 50 characters; null removes it.',
    }),
  }),
});

builder.mutationFields((t) => ({
  updateMerchantProfile: t.field({
    type: Merchant,
    args: { input: t.arg({ type: MerchantProfileInput, required: true, description: 'The profile.' }) },
    description:
      'Changes the profile that customers see, in both environments. The wallet cannot change, because it is part of every plan on chain. Only owners may do this. Errors: `authentication_error`; `invalid_request` with the field of the input as param.',
    resolve: (_root, { input }, context) => {
      ownerOf(context);
      return updateProfile(context.app, actingForMerchant(context), {
        ...input,
        companyName: input.companyName ?? undefined,
      });
    },
  }),
}));
