import { maxAliasesPlugin } from '@escape.tech/graphql-armor-max-aliases';
import { maxDepthPlugin } from '@escape.tech/graphql-armor-max-depth';
import { maxDirectivesPlugin } from '@escape.tech/graphql-armor-max-directives';
import { type GraphQLError, NoSchemaIntrospectionCustomRule, parse, type ValidationContext } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { GraphqlContext } from '../context.ts';
import { maxIntrospectionRule } from '../transport/introspection.ts';
import { maxRepeatsRule } from './max-repeats.ts';

/**
 * Maximum depth of a document. The introspection query of GraphQL's own tools is 21 levels deep.
 */
export const MAX_DEPTH = 22;
export const MAX_ALIASES = 15;
export const MAX_DIRECTIVES = 5;
export const MAX_TOKENS = 1_500;

// The plugins report a violation like any other validation error. By default they throw.
const REPORTED = {
  propagateOnRejection: false,
  onReject: [(context: ValidationContext | null, error: GraphQLError) => context?.reportError(error)],
};

/**
 * Limits that are checked before a document runs. They are above the needs of our pages and of
 * merchants' backends.
 */
export const documentLimits: Plugin<GraphqlContext>[] = [
  {
    onParse: ({ setParseFn }) =>
      setParseFn((source, options) => parse(source, { ...options, maxTokens: MAX_TOKENS })),
  },
  maxDepthPlugin({ n: MAX_DEPTH, ignoreIntrospection: false, ...REPORTED }),
  // The plugin's default allows any number of `__typename`.
  maxAliasesPlugin({ n: MAX_ALIASES, allowList: [], ...REPORTED }),
  maxDirectivesPlugin({ n: MAX_DIRECTIVES, ...REPORTED }),
  {
    // Introspection needs a key: anonymous callers would use the schema only to look for
    // weaknesses.
    onValidate: ({ context, addValidationRule }) => {
      addValidationRule(maxRepeatsRule);
      addValidationRule(maxIntrospectionRule);
      if (!context.caller) addValidationRule(NoSchemaIntrospectionCustomRule);
    },
  },
];
