import SchemaBuilder from '@pothos/core';
import ComplexityPlugin from '@pothos/plugin-complexity';
import PrismaPlugin from '@pothos/plugin-prisma';
import RelayPlugin from '@pothos/plugin-relay';
import ScopeAuthPlugin from '@pothos/plugin-scope-auth';
import { noKey } from '../domain/merchant/caller.ts';
import { DEFAULT_LIMIT, MAX_LIMIT } from '../domain/merchant/page.ts';
import { BillingError } from '../errors.ts';
import type PrismaTypes from '../generated/pothos.ts';
import { getDatamodel } from '../generated/pothos.ts';
import type { Environment } from '../generated/prisma/client.ts';
import { ARGUMENT_RULES } from './argument-rules.ts';
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
  // Authorization is outermost: nothing is said about the arguments of a top field that is not open to the caller. Those of
  // the fields below it are looked at together with its own, before it is known whether these are open: what is said of
  // them is what is wrong with what was given, and nothing of a row.
  plugins: [
    REQUIRED_SCOPE,
    ScopeAuthPlugin,
    ComplexityPlugin,
    ARGUMENT_RULES,
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
      // What only the owner may see is read, however it was reached.
      owner: (row) => isOwner(context, row) && context.caller?.scopes.includes('READ') === true,
    }),
  },
});

builder.queryType({ description: 'Reads.' });
builder.mutationType({ description: 'Changes.' });
builder.subscriptionType({
  description:
    'Live updates, by graphql-ws (`connection_init` payload: `{"authorization": "Bearer sk_..."}`, or, on our own pages, the cookie of the session) or, on the same URL, by Server-Sent Events. `events` can be resumed after any event; of the others nothing is kept for who is not listening: after a reconnect, read again.',
});

/** Why a field that only the owner may see is closed. */
function noOwner(_row: object, { caller }: GraphqlContext): Error {
  if (!caller) return noKey();
  return new BillingError('authentication_error', 'This is not for you to see.');
}
