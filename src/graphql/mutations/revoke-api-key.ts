import { revokeApiKey } from '../../domain/merchant/revoke-api-key.ts';
import { actingScopeOf } from '../acting.ts';
import { builder } from '../builder.ts';
import { ApiKey } from '../types/api-key.ts';

builder.mutationFields((t) => ({
  revokeApiKey: t.field({
    type: ApiKey,
    args: { id: t.arg.id({ required: true, description: 'Id of the key.' }) },
    description:
      'The key opens nothing from now on; its sockets are closed with 4403, its streams end with `authentication_error`. Asking again changes nothing. Errors: `authentication_error`; `not_found`, param `id`.',
    resolve: (_root, { id }, context) => revokeApiKey(context.app, actingScopeOf(context), { id }),
  }),
}));
