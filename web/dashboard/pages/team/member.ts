import type { TeamPageQuery } from '../../../generated/graphql.ts';

export type Member = TeamPageQuery['members']['edges'][number]['node'];

/** The name that the team gave, or the wallet's beginning and end. */
export function nameOf({ name, walletAddress }: Pick<Member, 'name' | 'walletAddress'>): string {
  return name ?? `${walletAddress.slice(0, 6)}…${walletAddress.slice(-4)}`;
}
