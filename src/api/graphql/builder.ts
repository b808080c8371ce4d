import SchemaBuilder from '@pothos/core';
import ComplexityPlugin from '@pothos/plugin-complexity';
import PrismaPlugin from '@pothos/plugin-prisma';
import RelayPlugin from '@pothos/plugin-relay';
import ScopeAuthPlugin from '@pothos/plugin-scope-auth';
import { noKey } from '../../domain/kernel/access/caller.ts';
import { DEFAULT_LIMIT, MAX_LIMIT } from '../../domain/kernel/paging/numbered-page.ts';
import { BillingError } from '../../errors.ts';
import type PrismaTypes from '../../generated/pothos.ts';
import { getDatamodel } from '../../generated/pothos.ts';
import type { Environment } from '../../generated/prisma/client.ts';
import { REQUIRED_SCOPE } from './arguments/required-scope.ts';
import { type GraphqlContext, isOwner } from './context.ts';
import { LISTED_ROWS } from './loaders/listed-rows.ts';
import { CHECK_ARGUMENTS } from './plugins/check-arguments-plugin.ts';
import { complexity } from './plugins/complexity.ts';
import { relayOptions } from './plugins/relay-options.ts';

type Owned = { readonly merchantId: string; readonly environment: Environment };

export const builder = new SchemaBuilder<{
  Context: GraphqlContext;
  PrismaTypes: PrismaTypes;
  DefaultFieldNullability: false;
  Scalars: {
    TokenAmount: { Input: bigint; Output: bigint };
    SignedTokenAmount: { Input: never; Output: bigint };
    DateTime: { Input: Date; Output: Date };
    JSON: { Input: unknown; Output: unknown };
  };
  AuthScopes: { owner: Owned };
}>({
  // Authorization is the outermost plugin: a caller learns nothing about the arguments of a
  // top-level field that it may not call. Arguments of nested fields are checked together with
  // those of the top-level field, before authorization of the nested fields. Such an error only
  // describes the input.
  plugins: [
    REQUIRED_SCOPE,
    ScopeAuthPlugin,
    ComplexityPlugin,
    CHECK_ARGUMENTS,
    RelayPlugin,
    LISTED_ROWS,
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
    unauthorizedError: ownerOnlyError,
    authScopes: (context) => ({
      // Fields for the owner need the READ scope, whatever query leads to the row.
      owner: (row) => isOwner(context, row) && context.caller?.scopes.includes('READ') === true,
    }),
  },
});

builder.queryType({ description: 'Queries, which read data.' });
builder.mutationType({ description: 'Mutations, which change data.' });
builder.subscriptionType({
  description:
    'Live updates over graphql-ws (`connection_init` payload: `{"authorization": "Bearer sk_..."}`, or the session cookie on pages of this service) or over Server-Sent Events at the same URL. After a reconnect, `events` continues after the last event that the client received. The other subscriptions do not repeat what a client missed while it was not connected: query again.',
});

/** The error for a field that only the owner may read. */
function ownerOnlyError(_row: object, { caller }: GraphqlContext): Error {
  if (!caller) return noKey();
  return new BillingError(
    'authentication_error',
    'Only the merchant that this belongs to may read it. Use its API key for the same environment.',
  );
}
