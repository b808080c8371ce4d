import { revokeApiKey } from '../../../domain/accounts/api-key/revoke-api-key.ts';
import { actingScopeOf } from '../arguments/acting-scope.ts';
import { builder } from '../builder.ts';
import { ApiKey } from '../types/api-key.ts';

builder.mutationFields((t) => ({
  revokeApiKey: t.field({
    type: ApiKey,
    args: { id: t.arg.id({ required: true, description: 'Id of the key.' }) },
    description:
      'Revokes an API key at once. WebSockets that use the key are closed with code 4403, and its streams end with `authentication_error`. A repeated call changes nothing. Errors: `authentication_error`; `not_found`, param `id`.',
    resolve: (_root, { id }, context) => revokeApiKey(context.app, actingScopeOf(context), { id }),
  }),
}));
