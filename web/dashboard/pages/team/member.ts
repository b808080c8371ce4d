import type { TeamPageQuery } from '../../../generated/graphql.ts';

export type Member = TeamPageQuery['members']['edges'][number]['node'];

/** The member's name, or the shortened address of the wallet. */
export function nameOf({ name, walletAddress }: Pick<Member, 'name' | 'walletAddress'>): string {
  return name ?? `${walletAddress.slice(0, 6)}…${walletAddress.slice(-4)}`;
}
