import SchemaBuilder from '@pothos/core';
import PrismaPlugin from '@pothos/plugin-prisma';
import RelayPlugin from '@pothos/plugin-relay';
import ScopeAuthPlugin from '@pothos/plugin-scope-auth';
import type PrismaTypes from '../generated/pothos.ts';
import { getDatamodel } from '../generated/pothos.ts';
import type { Environment } from '../generated/prisma/client.ts';
import { noKey } from '../http/authenticate.ts';
import { ARGUMENT_RULES } from './argument-rules.ts';
import { type GraphqlContext, isOwner } from './context.ts';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from './page-size.ts';
import { relayOptions } from './relay-options.ts';

type Owned = { readonly merchantId: string; readonly environment: Environment };

export const builder = new SchemaBuilder<{
  Context: GraphqlContext;
  PrismaTypes: PrismaTypes;
  DefaultFieldNullability: false;
  Scalars: {
    TokenAmount: { Input: bigint; Output: bigint };
    DateTime: { Input: Date; Output: Date };
    JSON: { Input: unknown; Output: unknown };
  };
  AuthScopes: { merchant: boolean; owner: Owned };
}>({
  // Authorization is outermost: nothing is said about the arguments of a field that is not open to the caller.
  plugins: [ScopeAuthPlugin, ARGUMENT_RULES, RelayPlugin, PrismaPlugin],
  defaultFieldNullability: false,
  prisma: {
    client: ({ app }) => app.db,
    dmmf: getDatamodel(),
    defaultConnectionSize: DEFAULT_PAGE_SIZE,
    maxConnectionSize: MAX_PAGE_SIZE,
    onUnusedQuery: 'error',
  },
  relay: relayOptions,
  scopeAuth: {
    authorizeOnSubscribe: true,
    unauthorizedError: noKey,
    authScopes: (context) => ({
      merchant: context.scope !== undefined,
      owner: (row) => isOwner(context, row),
    }),
  },
});

// Closed unless a field says otherwise: a new one is never open by being forgotten.
builder.queryType({ description: 'Reads.', authScopes: { merchant: true } });
builder.mutationType({ description: 'Changes.', authScopes: { merchant: true } });
builder.subscriptionType({
  description:
    'Live updates, by graphql-ws (`connection_init` payload: `{"authorization": "Bearer sk_..."}`) or, on the same URL, by Server-Sent Events. Nothing is kept for who is not listening: after a reconnect, read again.',
  authScopes: { merchant: true },
});
