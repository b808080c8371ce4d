import type { graphql as typedGraphql } from '../../generated/gql.ts';

/**
 * Gives a document its types, which codegen.ts makes: `npm run codegen` after a change. Only the
 * text is sent, so a page loads no other page's documents. Documents are written without fragments.
 */
export const graphql = ((source: string) => source) as unknown as typeof typedGraphql;
