import { createApiKey } from '../../../domain/accounts/api-key/create-api-key.ts';
import { actingScopeOf } from '../arguments/acting-scope.ts';
import { builder } from '../builder.ts';
import { scopesOf } from '../context.ts';
import { ApiKeyScope, NewApiKeyRef } from '../types/api-key.ts';

builder.mutationFields((t) => ({
  createApiKey: t.field({
    type: NewApiKeyRef,
    args: {
      name: t.arg.string({ required: true, description: 'Name of the key, 1 to 100 characters.' }),
      scopes: t.arg({
        type: [ApiKeyScope],
        description:
          'Scopes of the new key. They must be among the scopes of the key or member that makes this request; default all of these.',
      }),
      expiresAt: t.arg({
        type: 'DateTime',
        description:
          'When the new key expires: not later than the key that makes this request. Default: when that key expires, or never if it does not expire.',
      }),
    },
    description:
      'Creates an API key for the environment of this request. Errors: `authentication_error`; `invalid_request`, param `name`, `scopes` or `expiresAt`.',
    resolve: (_root, { name, scopes, expiresAt }, context) =>
      createApiKey(
        context.app,
        actingScopeOf(context),
        { name, scopes: scopes ?? undefined, expiresAt: expiresAt ?? undefined },
        scopesOf(context),
      ),
  }),
}));
