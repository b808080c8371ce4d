import type { ApiKeyRowsQuery } from '../../../generated/graphql.ts';
import { graphql } from '../../../shared/api/graphql.ts';

export const KEYS = graphql(/* GraphQL */ `
  query ApiKeyRows($first: Int, $after: String, $last: Int, $before: String) {
    apiKeys(first: $first, after: $after, last: $last, before: $before) {
      pageInfo {
        hasNextPage
        hasPreviousPage
        startCursor
        endCursor
      }
      edges {
        node {
          id
          name
          prefix
          lastFour
          scopes
          isValid
          createdAt
          lastUsedAt
          expiresAt
          revokedAt
          replacedBy {
            id
            name
            lastFour
          }
        }
      }
    }
  }
`);

export type KeyRow = ApiKeyRowsQuery['apiKeys']['edges'][number]['node'];

/** The part of a key that is not secret: `sk_test_…9f3b`. */
export function shortKey({ prefix, lastFour }: Pick<KeyRow, 'prefix' | 'lastFour'>): string {
  return `${prefix}…${lastFour}`;
}
