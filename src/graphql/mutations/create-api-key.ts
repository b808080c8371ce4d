import { createApiKey } from '../../domain/merchant/create-api-key.ts';
import { actingScopeOf } from '../acting.ts';
import { builder } from '../builder.ts';
import { scopesOf } from '../context.ts';
import { ApiKeyScope, NewApiKeyRef } from '../types/api-key.ts';

builder.mutationFields((t) => ({
  createApiKey: t.field({
    type: NewApiKeyRef,
    args: {
      name: t.arg.string({ required: true, description: 'What it is for, 1 to 100 characters.' }),
      scopes: t.arg({
        type: [ApiKeyScope],
        description:
          'What it may be used for: some of the scopes of the key that asks; without it all of those.',
      }),
      expiresAt: t.arg({
        type: 'DateTime',
        description:
          'When it ceases to open anything: not later than the key that asks; without it with that key, or never.',
      }),
    },
    description:
      'Makes a key for the environment of the key that asks. Errors: `authentication_error`; `invalid_request`, param `name`, `scopes` or `expiresAt`.',
    resolve: (_root, { name, scopes, expiresAt }, context) =>
      createApiKey(
        context.app,
        actingScopeOf(context),
        { name, scopes: scopes ?? undefined, expiresAt: expiresAt ?? undefined },
        scopesOf(context),
      ),
  }),
}));
