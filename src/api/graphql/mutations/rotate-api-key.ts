import { type RotatedApiKey, rotateApiKey } from '../../../domain/accounts/api-key/rotate-api-key.ts';
import { actingScopeOf } from '../arguments/acting-scope.ts';
import { builder } from '../builder.ts';
import { scopesOf } from '../context.ts';
import { ApiKey } from '../types/api-key.ts';

const RotatedApiKeyRef = builder.objectRef<RotatedApiKey>('RotatedApiKey').implement({
  description: 'A new API key, and the old key that it replaces.',
  requires: null,
  fields: (t) => ({
    key: t.expose('key', { type: ApiKey, description: 'The new key without its secret.' }),
    apiKey: t.exposeString('apiKey', { description: 'The secret of the new key, shown only here.' }),
    previous: t.expose('previous', {
      type: ApiKey,
      requires: 'READ',
      description: 'The old key; it works until its `expiresAt`.',
    }),
  }),
});

builder.mutationFields((t) => ({
  rotateApiKey: t.field({
    type: RotatedApiKeyRef,
    args: {
      id: t.arg.id({ required: true, description: 'Id of the old key.' }),
      overlapSeconds: t.arg.int({
        description: 'Seconds until the old key expires, 0 to 2592000 (30 days); default 86400 (24 hours).',
      }),
      expiresAt: t.arg({
        type: 'DateTime',
        description:
          'When the new key expires: not later than the key that makes this request. Default: after the whole lifetime of the old key, counted from now, but not later than the key that makes this request; never if neither expires.',
      }),
    },
    description:
      'Replaces an API key with a new one that has the same name and scopes. Errors: `authentication_error`; `not_found`, param `id`; `invalid_request`, param `id` (the old key is revoked, expired or already rotated), `overlapSeconds`, `expiresAt`, or `scopes` (the old key has scopes that the key or member making this request lacks).',
    resolve: (_root, { id, overlapSeconds, expiresAt }, context) =>
      rotateApiKey(
        context.app,
        actingScopeOf(context),
        { id, overlapSeconds: overlapSeconds ?? undefined, expiresAt: expiresAt ?? undefined },
        scopesOf(context),
      ),
  }),
}));
