import type { graphql as typedGraphql } from '../../generated/gql.ts';

/**
 * Gives a document the types that codegen.ts generates: run `npm run codegen` after a change. Only
 * the text is sent, so a page loads no other page's documents. Documents have no fragments.
 */
export const graphql = ((source: string) => source) as unknown as typeof typedGraphql;
