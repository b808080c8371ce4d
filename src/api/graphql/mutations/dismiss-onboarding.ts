import { dismissOnboarding } from '../../../domain/accounts/merchant/dismiss-onboarding.ts';
import { actingForMerchant } from '../arguments/acting-scope.ts';
import { builder } from '../builder.ts';
import { memberOf } from '../loaders/member.ts';
import { Onboarding } from '../types/onboarding.ts';

builder.mutationFields((t) => ({
  dismissOnboarding: t.field({
    type: Onboarding,
    description:
      "Closes the list of the merchant's first steps in the dashboard, for all members. `onboarding` still returns the steps. Needs a signed-in member; an API key is refused. Errors: `authentication_error`.",
    resolve: (_root, _args, context) => {
      memberOf(context);
      return dismissOnboarding(context.app, actingForMerchant(context));
    },
  }),
}));
