import { isValid } from '../../../domain/accounts/api-key/authenticate-api-key.ts';
import type { NewApiKey } from '../../../domain/accounts/api-key/create-api-key.ts';
import { apiKeyPrefix } from '../../../secrets.ts';
import { builder } from '../builder.ts';
import { scopeOf } from '../context.ts';

export const ApiKeyScope = builder.enumType('ApiKeyScope', {
  description: 'Permissions of an API key.',
  values: {
    READ: { description: 'Queries and live updates.' },
    WRITE: { description: 'All mutations except creating checkout sessions.' },
    CHECKOUT: { description: 'Creates checkout sessions.' },
  } as const,
});

export const ApiKey = builder.prismaObject('ApiKey', {
  description: 'An API key without its secret, which is shown once, when the key is created.',
  fields: (t) => ({
    id: t.exposeID('id', { requires: null, description: 'A UUID.' }),
    name: t.exposeString('name', { requires: null, description: 'Name given by the merchant.' }),
    prefix: t.string({
      requires: null,
      description: 'First characters of the secret: `sk_test_` or `sk_live_`.',
      resolve: ({ environment }) => apiKeyPrefix(environment),
    }),
    lastFour: t.exposeString('lastFour', {
      requires: null,
      description: 'Last four characters of the secret.',
    }),
    scopes: t.expose('scopes', {
      requires: null,
      type: [ApiKeyScope],
      description: 'Permissions of the key.',
    }),
    isValid: t.boolean({
      description: 'Whether the key can be used now: not revoked and not expired.',
      resolve: (key, _args, { app }) => isValid(key, app.wallClock.now()),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the key was created.' }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the key was last used, to about a minute; null if never.',
    }),
    expiresAt: t.expose('expiresAt', {
      requires: null,
      type: 'DateTime',
      nullable: true,
      description: 'When the key expires; null if never.',
    }),
    revokedAt: t.expose('revokedAt', {
      requires: null,
      type: 'DateTime',
      nullable: true,
      description: 'When the key was revoked; null if it was not.',
    }),
    replacedBy: t.relation('replacedBy', {
      nullable: true,
      description: 'The key that replaced this one; null if this one was not rotated.',
    }),
  }),
});

export const NewApiKeyRef = builder.objectRef<NewApiKey>('NewApiKey').implement({
  description: 'A new API key with its secret.',
  requires: null,
  fields: (t) => ({
    key: t.expose('key', { type: ApiKey, description: 'The key without its secret.' }),
    apiKey: t.exposeString('apiKey', {
      description: 'The secret for `Authorization: Bearer`, shown only here.',
    }),
  }),
});

builder.queryFields((t) => ({
  apiKeys: t.prismaConnection(
    {
      type: ApiKey,
      cursor: 'id',
      description:
        'API keys of this environment, newest first, including revoked and expired ones. Errors: `authentication_error`; `invalid_request` for a page out of range.',
      totalCount: (_root, _args, context) => context.app.db.apiKey.count({ where: scopeOf(context) }),
      resolve: (query, _root, _args, context) =>
        context.app.db.apiKey.findMany({
          ...query,
          where: scopeOf(context),
          orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        }),
    },
    { name: 'ApiKeyConnection', description: 'A page of API keys.' },
    { name: 'ApiKeyEdge', description: 'One API key of a page, with its cursor.' },
  ),
}));
