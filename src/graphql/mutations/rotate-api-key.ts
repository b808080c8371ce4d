import { type RotatedApiKey, rotateApiKey } from '../../domain/merchant/rotate-api-key.ts';
import { actingScopeOf } from '../acting.ts';
import { builder } from '../builder.ts';
import { scopesOf } from '../context.ts';
import { ApiKey } from '../types/api-key.ts';

const RotatedApiKeyRef = builder.objectRef<RotatedApiKey>('RotatedApiKey').implement({
  description: 'A key in the place of another, and the only time that it is shown.',
  fields: (t) => ({
    key: t.expose('key', { type: ApiKey, description: 'What the new key is known by.' }),
    apiKey: t.exposeString('apiKey', { description: 'The new key itself: shown here and never again.' }),
    previous: t.expose('previous', {
      type: ApiKey,
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
        description:
          'How long the old key goes on working, 0 to 2592000 (30 days); default 86400 (24 hours).',
      }),
      expiresAt: t.arg({
        type: 'DateTime',
        description:
          'When the new key ceases to open anything: not later than the key that asks; without it, it lives as long as the old one was to, or as the key that asks.',
      }),
    },
    description:
      'Makes a key with the name and scopes of another one, in its place. Errors: `authentication_error`; `not_found`, param `id`; `invalid_request`, param `id` where the old key opens nothing any more or was rotated before, `overlapSeconds`, `expiresAt`, or `scopes` where the old key may do more than the one that asks.',
    resolve: (_root, { id, overlapSeconds, expiresAt }, context) =>
      rotateApiKey(
        context.app,
        actingScopeOf(context),
        { id, overlapSeconds: overlapSeconds ?? undefined, expiresAt: expiresAt ?? undefined },
        scopesOf(context),
      ),
  }),
}));
