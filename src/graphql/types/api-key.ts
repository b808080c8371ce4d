import { isValid } from '../../domain/merchant/authenticate-api-key.ts';
import type { NewApiKey } from '../../domain/merchant/create-api-key.ts';
import { apiKeyPrefix } from '../../secrets.ts';
import { builder } from '../builder.ts';
import { scopeOf } from '../context.ts';

export const ApiKeyScope = builder.enumType('ApiKeyScope', {
  description: 'What an API key may be used for.',
  values: {
    READ: { description: 'Reads, and live updates.' },
    WRITE: { description: 'Changes of everything but checkouts.' },
    CHECKOUT: { description: 'Creates checkout sessions.' },
  } as const,
});

export const ApiKey = builder.prismaObject('ApiKey', {
  description: 'What a key is known by. The key itself is shown once, when it is made.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'A UUID.' }),
    name: t.exposeString('name', { description: 'What the merchant calls it.' }),
    prefix: t.string({
      description: 'How it begins: `sk_test_` or `sk_live_`.',
      resolve: ({ environment }) => apiKeyPrefix(environment),
    }),
    lastFour: t.exposeString('lastFour', { description: 'How it ends: its last four characters.' }),
    scopes: t.expose('scopes', { type: [ApiKeyScope], description: 'What it may be used for.' }),
    isValid: t.boolean({
      description: 'Whether it opens anything now.',
      resolve: (key, _args, { app }) => isValid(key, app.clock.now()),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was used last, to about a minute; null where it never was.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it ceases to open anything; null where it does not.',
    }),
    revokedAt: t.expose('revokedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was revoked; null where it was not.',
    }),
    replacedBy: t.relation('replacedBy', {
      nullable: true,
      description: 'The key that took its place; null where it was not rotated.',
    }),
  }),
});

export const NewApiKeyRef = builder.objectRef<NewApiKey>('NewApiKey').implement({
  description: 'A key that was just made, and the only time that it is shown.',
  fields: (t) => ({
    key: t.expose('key', { type: ApiKey, description: 'What it is known by from now on.' }),
    apiKey: t.exposeString('apiKey', {
      description: 'The key itself, for `Authorization: Bearer`: shown here and never again.',
    }),
  }),
});

builder.queryFields((t) => ({
  apiKeys: t.prismaConnection(
    {
      type: ApiKey,
      cursor: 'id',
      description:
        'API keys of this environment, newest first, with those that are over. Errors: `authentication_error`; `invalid_request` for a page out of range.',
      totalCount: (_root, _args, context) => context.app.db.apiKey.count({ where: scopeOf(context) }),
      resolve: (query, _root, _args, context) =>
        context.app.db.apiKey.findMany({
          ...query,
          where: scopeOf(context),
          orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        }),
    },
    { name: 'ApiKeyConnection', description: 'A page of API keys.' },
    { name: 'ApiKeyEdge', description: 'One of API keys.' },
  ),
}));
