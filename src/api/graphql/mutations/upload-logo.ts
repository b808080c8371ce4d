import { uploadLogo } from '../../../domain/merchant/upload-logo.ts';
import { actingForMerchant } from '../acting-scope.ts';
import { builder } from '../builder.ts';
import { ownerOf } from '../member.ts';
import { Merchant } from '../types/merchant.ts';

builder.mutationFields((t) => ({
  uploadLogo: t.field({
    type: Merchant,
    args: {
      png: t.arg.string({
        required: true,
        description: 'A PNG of at most 50000 bytes and 1024 pixels a side, in base64.',
      }),
    },
    description:
      "Keeps a picture and sets the merchant's `logoUrl` to it, in both environments. It replaces the one before; `updateMerchantProfile` with `logoUrl: null` removes it. For owners only. Errors: `authentication_error`; `invalid_request`, param `png`.",
    resolve: (_root, { png }, context) => {
      ownerOf(context);
      return uploadLogo(context.app, actingForMerchant(context), png);
    },
  }),
}));
