import { useQuery } from '@tanstack/react-query';
import { graphql } from '../../../shared/api/graphql.ts';
import { askOptions } from '../../../shared/api/query.ts';
import { audit as text } from '../../../shared/text/audit.ts';
import { nameOf } from '../team/member.ts';

const ACTORS = graphql(/* GraphQL */ `
  query AuditActors {
    members(first: 100) {
      edges {
        node {
          id
          name
          walletAddress
        }
      }
    }
    apiKeys(first: 100) {
      edges {
        node {
          id
          name
          lastFour
        }
      }
    }
  }
`);

/** The names of the members and of the keys of this environment, by id. */
export function useActorNames(): ReadonlyMap<string, string> {
  const { data } = useQuery(askOptions(ACTORS, {}));
  return new Map([
    ...(data?.members.edges ?? []).map(({ node }) => [node.id, nameOf(node)] as const),
    ...(data?.apiKeys.edges ?? []).map(
      ({ node: { id, name, lastFour } }) => [id, text.key(`${name} …${lastFour}`)] as const,
    ),
  ]);
}
