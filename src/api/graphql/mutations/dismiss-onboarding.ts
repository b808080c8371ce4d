import { dismissOnboarding } from '../../../domain/merchant/dismiss-onboarding.ts';
import { actingForMerchant } from '../acting-scope.ts';
import { builder } from '../builder.ts';
import { memberOf } from '../member.ts';
import { Onboarding } from '../types/onboarding.ts';

builder.mutationFields((t) => ({
  dismissOnboarding: t.field({
    type: Onboarding,
    description:
      "Closes the list of the merchant's first steps for all its members; `onboarding` still tells them. For members only. Errors: `authentication_error`.",
    resolve: (_root, _args, context) => {
      memberOf(context);
      return dismissOnboarding(context.app, actingForMerchant(context));
    },
  }),
}));
