import { updateProfile } from '../../domain/merchant/update-profile.ts';
import { actingForMerchant } from '../acting.ts';
import { builder } from '../builder.ts';
import { ownerOf } from '../member.ts';
import { Merchant } from '../types/merchant.ts';

const MerchantProfileInput = builder.inputType('MerchantProfileInput', {
  description: 'What is to change; what is not given stays as it is.',
  fields: (t) => ({
    companyName: t.string({ description: '1 to 200 characters.' }),
    logoUrl: t.string({ description: 'An https URL; null takes the logo away.' }),
    supportEmail: t.string({ description: 'An email address; null takes it away.' }),
  }),
});

builder.mutationFields((t) => ({
  updateMerchantProfile: t.field({
    type: Merchant,
    args: { input: t.arg({ type: MerchantProfileInput, required: true, description: 'The profile.' }) },
    description:
      'Changes what customers see of the merchant, in both environments. Its wallet cannot be changed: it is written into every plan on chain, whose terms never change. For owners only. Errors: `authentication_error`; `invalid_request`, param as in the input.',
    resolve: (_root, { input }, context) => {
      ownerOf(context);
      return updateProfile(context.app, actingForMerchant(context), {
        ...input,
        companyName: input.companyName ?? undefined,
      });
    },
  }),
}));
