import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  getIntrospectionQuery,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
  type ValidationRule,
} from 'graphql';

/** Requests that the complete introspection query counts as; a part of it counts as fewer. */
export const REQUESTS_OF_INTROSPECTION = 50;

/**
 * Assumed rows of the lists of an introspection: about the averages of our schema. `__type` can name
 * one of the largest types, whose lists are ten times as long.
 */
const ROWS: Readonly<Record<string, number>> = {
  __type: 10,
  types: 160,
  fields: 6,
  inputFields: 6,
  enumValues: 5,
  args: 3,
  directives: 8,
  interfaces: 2,
  possibleTypes: 2,
};

const WHOLE = introspectionCost(
  parse(
    getIntrospectionQuery({
      directiveIsRepeatable: true,
      inputValueDeprecation: true,
      oneOf: true,
      schemaDescription: true,
      specifiedByUrl: true,
    }),
  ),
);

/**
 * Refuses an operation that asks for more of the schema than the introspection query of GraphQL's
 * own tools: with a second name, the same fields would be written again.
 */
export const maxIntrospectionRule: ValidationRule = (context) => ({
  OperationDefinition(operation) {
    if (introspectionCost(context.getDocument(), operation) <= WHOLE) return;
    context.reportError(
      new GraphQLError(
        'The operation asks for more of the schema than the introspection query does: ask for fewer types or fields.',
        { nodes: operation },
      ),
    );
  },
});

/** Requests that the introspection in an operation counts as; 0 if there is none. */
export function introspectionRequests(
  document: DocumentNode,
  operationName: string | null | undefined,
): number {
  const cost = introspectionCost(document, getOperationAST(document, operationName));
  return Math.ceil((cost / WHOLE) * REQUESTS_OF_INTROSPECTION);
}

/** Estimated number of fields of the schema that the answer of an operation has. */
function introspectionCost(
  document: DocumentNode,
  operation: OperationDefinitionNode | null | undefined = getOperationAST(document),
): number {
  const fragments = new Map(
    document.definitions
      .filter((each): each is FragmentDefinitionNode => each.kind === Kind.FRAGMENT_DEFINITION)
      .map((fragment) => [fragment.name.value, fragment]),
  );
  // A fragment is counted once, and again only from this map: fragments that spread each other
  // would take exponential time. A fragment that spreads itself counts 0 there; it is invalid.
  const known = new Map<string, number>();
  const costOf = ({ selections }: SelectionSetNode, isInside: boolean): number =>
    selections.reduce((sum, selection) => {
      if (selection.kind === Kind.FRAGMENT_SPREAD) {
        const name = selection.name.value;
        const key = `${isInside} ${name}`;
        if (!known.has(key)) {
          known.set(key, 0);
          const fragment = fragments.get(name);
          if (fragment) known.set(key, costOf(fragment.selectionSet, isInside));
        }
        return sum + (known.get(key) ?? 0);
      }
      if (selection.kind === Kind.INLINE_FRAGMENT) return sum + costOf(selection.selectionSet, isInside);
      const name = selection.name.value;
      if (!isInside && name !== '__schema' && name !== '__type') return sum;
      const below = selection.selectionSet ? costOf(selection.selectionSet, true) : 0;
      return sum + 1 + (ROWS[name] ?? 1) * below;
    }, 0);
  return operation ? costOf(operation.selectionSet, false) : 0;
}
