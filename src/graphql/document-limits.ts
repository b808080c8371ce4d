import { maxAliasesPlugin } from '@escape.tech/graphql-armor-max-aliases';
import { maxDepthPlugin } from '@escape.tech/graphql-armor-max-depth';
import { maxDirectivesPlugin } from '@escape.tech/graphql-armor-max-directives';
import { type GraphQLError, NoSchemaIntrospectionCustomRule, parse, type ValidationContext } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { GraphqlContext } from './context.ts';
import { maxRepeatsRule } from './max-repeats.ts';

/** Of a document. The introspection query of GraphQL's own tools is 21 deep. */
export const MAX_DEPTH = 22;
export const MAX_ALIASES = 15;
export const MAX_DIRECTIVES = 5;
export const MAX_TOKENS = 1_500;

// As any other finding about a document, where the plugins would throw.
const REPORTED = {
  propagateOnRejection: false,
  onReject: [(context: ValidationContext | null, error: GraphQLError) => context?.reportError(error)],
};

/** What any document is held to before it runs: nothing that a page of ours or a merchant's backend would ask comes near. */
export const documentLimits: Plugin<GraphqlContext>[] = [
  {
    onParse: ({ setParseFn }) =>
      setParseFn((source, options) => parse(source, { ...options, maxTokens: MAX_TOKENS })),
  },
  maxDepthPlugin({ n: MAX_DEPTH, ignoreIntrospection: false, ...REPORTED }),
  // `__typename` too, which the plugin would let pass.
  maxAliasesPlugin({ n: MAX_ALIASES, allowList: [], ...REPORTED }),
  maxDirectivesPlugin({ n: MAX_DIRECTIVES, ...REPORTED }),
  {
    // The schema is told to merchants; strangers have no use for it but to look for holes.
    onValidate: ({ context, addValidationRule }) => {
      addValidationRule(maxRepeatsRule);
      if (!context.caller) addValidationRule(NoSchemaIntrospectionCustomRule);
    },
  },
];
