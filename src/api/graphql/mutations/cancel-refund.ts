import { cancelRefund } from '../../../domain/billing/refund/cancel-refund.ts';
import { actingScopeOf } from '../arguments/acting-scope.ts';
import { builder } from '../builder.ts';
import { Refund } from '../types/refund.ts';

builder.mutationFields((t) => ({
  cancelRefund: t.field({
    type: Refund,
    args: { id: t.arg.id({ required: true, description: 'Id of a pending refund.' }) },
    description:
      'Cancels a refund that was not sent. The amount can be refunded again with a new refund. A repeated call changes nothing. If a transaction that was already signed still lands, the refund succeeds. Errors: `authentication_error`; `not_found`, param `id`; `invalid_request`, param `id`, if the refund has succeeded or expired, or was or may have been sent.',
    resolve: (_root, { id }, context) => cancelRefund(context.app, actingScopeOf(context), id),
  }),
}));
