import { createApiKey } from '../../../domain/api-key/create-api-key.ts';
import { actingScopeOf } from '../acting-scope.ts';
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
        description: 'Scopes of the new key, a subset of the scopes of the calling key; default all of them.',
      }),
      expiresAt: t.arg({
        type: 'DateTime',
        description:
          'When the new key expires, not later than the calling key; default the expiry of the calling key, if it has one.',
      }),
    },
    description:
      'Creates a key for the environment of the calling key. Errors: `authentication_error`; `invalid_request`, param `name`, `scopes` or `expiresAt`.',
    resolve: (_root, { name, scopes, expiresAt }, context) =>
      createApiKey(
        context.app,
        actingScopeOf(context),
        { name, scopes: scopes ?? undefined, expiresAt: expiresAt ?? undefined },
        scopesOf(context),
      ),
  }),
}));
