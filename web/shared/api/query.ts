import {
  type QueryClient,
  queryOptions,
  type UseMutationResult,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import type { TypedDocumentString } from '../../generated/graphql.ts';
import { ApiError } from './api-error.ts';
import { ask } from './ask.ts';

export interface AskOptions {
  /**
   * Prefixes of the event types after which the data is refetched: `['subscription.']`. Without it,
   * events refetch nothing.
   */
  readonly live?: readonly string[];
  readonly enabled?: boolean;
  /** Shows the data of the previous variables until the new data arrives: for lists. */
  readonly keepsPrevious?: boolean;
}

/** Options of `useQuery` for a document: `useQuery(askOptions(PLANS, { first: 20 }))`. */
export function askOptions<Result, Variables>(
  document: TypedDocumentString<Result, Variables>,
  variables: Variables,
  { live, enabled, keepsPrevious }: AskOptions = {},
) {
  return queryOptions<Result, ApiError>({
    queryKey: [operationName(document), variables],
    queryFn: ({ signal }) => ask(document, variables, signal),
    ...(enabled !== undefined && { enabled }),
    ...(live && { meta: { live } }),
    ...(keepsPrevious && { placeholderData: (previous: unknown) => previous as never }),
    retry: (count, error) => count < 2 && (!(error instanceof ApiError) || error.code === 'unreachable'),
  });
}

export interface ChangeOptions<Result> {
  /** Runs after the change, for example to show a toast or to close a dialog. */
  readonly onDone?: (result: Result) => unknown;
}

/**
 * A mutation: `change.mutate(variables)`. Afterwards every query on the page is refetched, because
 * a change can affect lists, counts and details at once.
 */
export function useChange<Result, Variables>(
  document: TypedDocumentString<Result, Variables>,
  { onDone }: ChangeOptions<Result> = {},
): UseMutationResult<Result, ApiError, Variables> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (variables: Variables) => ask(document, variables),
    onSuccess: async (result) => {
      await onDone?.(result);
      await client.invalidateQueries();
    },
  });
}

/** Refetches the queries whose `live` prefixes match one of these event types. */
export function invalidateLive(client: QueryClient, types: readonly string[]): Promise<void> {
  return client.invalidateQueries({
    predicate: ({ meta }) =>
      ((meta?.live as readonly string[] | undefined) ?? []).some((prefix) =>
        types.some((type) => type.startsWith(prefix)),
      ),
  });
}

/** The name of the operation in a document. */
export function operationName(document: { toString(): string }): string {
  const [, name] = /^\s*(?:query|mutation|subscription)\s+(\w+)/.exec(document.toString()) ?? [];
  if (!name) throw new Error('A document needs a name: query Plans { ... }');
  return name;
}
