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
import { publicError, statusOf } from '../../errors/error-response.ts';
import { CHECKOUT_CREATION, tooManyRequests } from '../../rate-limit/rate-limit.ts';
import type { GraphqlContext } from '../context.ts';
import { introspectionRequests } from '../transport/introspection.ts';

const CREATION = 'createCheckoutSession';

/**
 * Counts an operation by its top-level fields before it runs. Each `createCheckoutSession` counts
 * as one checkout creation. The HTTP request itself already counted for the first of the other
 * fields; each further field counts as one more request, and fields of the schema as more. An
 * operation over the limit is refused as a whole. Fields count even if `@skip` or `@include`
 * excludes them.
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
  const others = fields.length - creations + introspectionRequests(document, operationName);
  for (const [policy, requests] of [
    [contextValue.limits.policyOf(contextValue.countsAgainst), others - 1],
    [CHECKOUT_CREATION, creations],
  ] as const) {
    if (requests < 1) continue;
    const verdict = await contextValue.limits.take(policy, contextValue.countsAgainst, requests);
    contextValue.onCounted?.(verdict);
    if (!verdict.allowed) return refusal();
  }
  return undefined;
}

/**
 * The top-level fields of an operation, by response name. A field that is repeated under one name
 * runs once.
 */
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
          (definition): definition is FragmentDefinitionNode =>
            definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === selection.name.value,
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
  const error = tooManyRequests();
  const { message, ...extensions } = publicError(error) ?? { message: error.message, code: error.code };
  return createGraphQLError(message, {
    extensions: { ...extensions, http: { status: statusOf({ message, ...extensions }) } },
  });
}
