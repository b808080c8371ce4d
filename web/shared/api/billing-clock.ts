import { type QueryClient, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { setBillingNow } from '../time/billing-now.ts';
import { isLive } from './environment.ts';
import { graphql } from './graphql.ts';
import { askOptions, useChange } from './query.ts';

const CLOCK = graphql(/* GraphQL */ `
  query BillingClock {
    cluster {
      canMoveTime
      now
    }
  }
`);

const ADVANCE = graphql(/* GraphQL */ `
  mutation MoveTime($seconds: Int!) {
    advanceTestClock(seconds: $seconds)
  }
`);

const FOLLOW_INTERVAL_MS = 5_000;

const clockOptions = askOptions(CLOCK, {});

/** Sets the pages to the cluster's time if it can be advanced. In LIVE it never can. */
export async function followBillingClock(client: QueryClient): Promise<void> {
  if (isLive) return;
  const { cluster } = await client.ensureQueryData(clockOptions);
  // The answer may be from the cache.
  const readAt = client.getQueryState(clockOptions.queryKey)?.dataUpdatedAt ?? Date.now();
  if (cluster.canMoveTime) setBillingNow(cluster.now, readAt);
}

/**
 * Whether the time can be advanced. If so, the pages follow the cluster's time, which anybody may
 * advance, for example with `dues travel`.
 */
export function useCanMoveTime(): boolean {
  const { data, dataUpdatedAt } = useQuery({
    ...clockOptions,
    enabled: !isLive,
    refetchInterval: ({ state }) => (state.data?.cluster.canMoveTime ? FOLLOW_INTERVAL_MS : false),
  });
  const now = data?.cluster.canMoveTime ? data.cluster.now : undefined;
  useEffect(() => {
    if (now !== undefined) setBillingNow(now, dataUpdatedAt);
  }, [now, dataUpdatedAt]);
  return now !== undefined;
}

/** Advances the time by some seconds; `onDone` receives the new time. */
export function useMoveTime(onDone: (now: string) => unknown) {
  return useChange(ADVANCE, {
    onDone: ({ advanceTestClock }) => {
      setBillingNow(advanceTestClock);
      return onDone(advanceTestClock);
    },
  });
}
