import SchemaBuilder from '@pothos/core';
import ComplexityPlugin from '@pothos/plugin-complexity';
import PrismaPlugin from '@pothos/plugin-prisma';
import RelayPlugin from '@pothos/plugin-relay';
import ScopeAuthPlugin from '@pothos/plugin-scope-auth';
import { noKey } from '../../domain/access/caller.ts';
import { DEFAULT_LIMIT, MAX_LIMIT } from '../../domain/paging/page.ts';
import { BillingError } from '../../errors.ts';
import type PrismaTypes from '../../generated/pothos.ts';
import { getDatamodel } from '../../generated/pothos.ts';
import type { Environment } from '../../generated/prisma/client.ts';
import { CHECK_ARGUMENTS } from './check-arguments-plugin.ts';
import { complexity } from './complexity.ts';
import { type GraphqlContext, isOwner } from './context.ts';
import { READ_RELATIONS } from './read-relations.ts';
import { relayOptions } from './relay-options.ts';
import { REQUIRED_SCOPE } from './required-scope.ts';

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
  AuthScopes: { owner: Owned };
}>({
  // Authorization is the outermost plugin: a caller learns nothing about the arguments of a top
  // field it may not call. The arguments of nested fields are checked together with those of the
  // top field, before their authorization. Such an error describes the input only, never a row.
  plugins: [
    REQUIRED_SCOPE,
    ScopeAuthPlugin,
    ComplexityPlugin,
    CHECK_ARGUMENTS,
    RelayPlugin,
    READ_RELATIONS,
    PrismaPlugin,
  ],
  defaultFieldNullability: false,
  prisma: {
    client: ({ app }) => app.db,
    dmmf: getDatamodel(),
    defaultConnectionSize: DEFAULT_LIMIT,
    maxConnectionSize: MAX_LIMIT,
    onUnusedQuery: 'error',
  },
  relay: relayOptions,
  complexity,
  scopeAuth: {
    authorizeOnSubscribe: true,
    unauthorizedError: noOwner,
    authScopes: (context) => ({
      // Fields for the owner need the READ scope, whichever path leads to the row.
      owner: (row) => isOwner(context, row) && context.caller?.scopes.includes('READ') === true,
    }),
  },
});

builder.queryType({ description: 'Queries.' });
builder.mutationType({ description: 'Changes.' });
builder.subscriptionType({
  description:
    'Live updates over graphql-ws (`connection_init` payload: `{"authorization": "Bearer sk_..."}`, or the session cookie on pages of this service) or over Server-Sent Events at the same URL. `events` can be resumed after any event. The other subscriptions keep nothing for clients that are not connected: query again after a reconnect.',
});

/** The error for a field that only the owner may read. */
function noOwner(_row: object, { caller }: GraphqlContext): Error {
  if (!caller) return noKey();
  return new BillingError('authentication_error', 'Only the owner may read this.');
}
