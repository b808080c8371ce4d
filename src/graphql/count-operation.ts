import {
  type DocumentNode,
  type ExecutionArgs,
  type FragmentDefinitionNode,
  type GraphQLError,
  getOperationAST,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import { createGraphQLError, type Plugin } from 'graphql-yoga';
import { publicError, statusOf } from '../http/error-response.ts';
import { tooManyRequests } from '../http/identify.ts';
import { CHECKOUT_CREATION, OTHER_REQUESTS } from '../http/rate-limit.ts';
import type { GraphqlContext } from './context.ts';

const CREATION = 'createCheckoutSession';

/**
 * Counts an operation by what it calls, before any of it runs: every top field `createCheckoutSession` is one creation of a
 * checkout; of the others the request itself has paid for the first, each further one is one request more. An operation
 * that does not fit is refused whole. Fields are counted as they are written, `@skip` or not.
 */
export const countOperation: Plugin<GraphqlContext> = {
  onExecute: async ({ args, setResultAndStopExecution }) => {
    const refusal = await count(args);
    if (refusal) setResultAndStopExecution({ errors: [refusal] });
  },
  onSubscribe: async ({ args, setResultAndStopExecution }) => {
    const refusal = await count(args);
    if (refusal) setResultAndStopExecution({ errors: [refusal] });
  },
};

async function count({
  document,
  operationName,
  contextValue,
}: Pick<ExecutionArgs, 'document' | 'operationName'> & { contextValue: GraphqlContext }): Promise<
  GraphQLError | undefined
> {
  const fields = [...topFields(document, operationName).values()];
  const creations = fields.filter((name) => name === CREATION).length;
  const others = fields.length - creations;
  for (const [policy, requests] of [
    [OTHER_REQUESTS, others - 1],
    [CHECKOUT_CREATION, creations],
  ] as const) {
    if (requests < 1) continue;
    const verdict = await contextValue.limits.take(policy, contextValue.countsAgainst, requests);
    contextValue.counted?.(verdict);
    if (!verdict.allowed) return refusal();
  }
  return undefined;
}

/** Names of the fields that an operation calls, under the names that their results get: the same one twice is called once. */
export function topFields(
  document: DocumentNode,
  operationName: string | null | undefined,
): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  const seen = new Set<FragmentDefinitionNode>();
  const collect = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) {
        fields.set((selection.alias ?? selection.name).value, selection.name.value);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        collect(selection.selectionSet);
      } else {
        const fragment = document.definitions.find(
          (each): each is FragmentDefinitionNode =>
            each.kind === Kind.FRAGMENT_DEFINITION && each.name.value === selection.name.value,
        );
        if (!fragment || seen.has(fragment)) continue;
        seen.add(fragment);
        collect(fragment.selectionSet);
      }
    }
  };
  const operation = getOperationAST(document, operationName);
  if (operation) collect(operation.selectionSet);
  return fields;
}

function refusal(): GraphQLError {
  const fact = tooManyRequests();
  const { message, ...extensions } = publicError(fact) ?? { message: fact.message, code: fact.code };
  return createGraphQLError(message, {
    extensions: { ...extensions, http: { status: statusOf({ message, ...extensions }) } },
  });
}
