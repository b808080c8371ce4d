import { uploadLogo } from '../../../domain/accounts/merchant/upload-logo.ts';
import { actingForMerchant } from '../arguments/acting-scope.ts';
import { builder } from '../builder.ts';
import { ownerOf } from '../loaders/member.ts';
import { Merchant } from '../types/merchant.ts';

builder.mutationFields((t) => ({
  uploadLogo: t.field({
    type: Merchant,
    args: {
      png: t.arg.string({
        required: true,
        description: 'A PNG image in base64, at most 50000 bytes and 1024 pixels per side.',
      }),
    },
    description:
      "Stores a picture as the merchant's logo, in both environments, and sets `logoUrl` to its URL. It replaces the previous logo; `updateMerchantProfile` with `logoUrl: null` removes it. Only owners may do this. Errors: `authentication_error`; `invalid_request`, param `png`.",
    resolve: (_root, { png }, context) => {
      ownerOf(context);
      return uploadLogo(context.app, actingForMerchant(context), png);
    },
  }),
}));
