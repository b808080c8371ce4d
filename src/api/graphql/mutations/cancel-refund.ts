import { cancelRefund } from '../../../domain/refund/cancel-refund.ts';
import { actingScopeOf } from '../acting-scope.ts';
import { builder } from '../builder.ts';
import { Refund } from '../types/refund.ts';

builder.mutationFields((t) => ({
  cancelRefund: t.field({
    type: Refund,
    args: { id: t.arg.id({ required: true, description: 'Id of a pending refund.' }) },
    description:
      'Cancels a refund that was not sent; its amount can be refunded otherwise. A repeated call changes nothing. A transaction that was signed before may still land: then the refund succeeds. Errors: `authentication_error`; `not_found`, or `invalid_request` if it has succeeded or expired, param `id`.',
    resolve: (_root, { id }, context) => cancelRefund(context.app, actingScopeOf(context), id),
  }),
}));
