import { GraphQLError, Kind, type ValidationRule } from 'graphql';

/**
 * Maximum times that one selection set may repeat a field or fragment. GraphQL runs a repeated
 * field once but merges all repetitions first, so a short document of repetitions is expensive to
 * validate.
 */
export const MAX_REPEATS = 10;

/** Limits the repetitions of each response name and fragment in a selection set. */
export const maxRepeatsRule: ValidationRule = (context) => ({
  SelectionSet(node) {
    const times = new Map<string, number>();
    for (const selection of node.selections) {
      if (selection.kind === Kind.INLINE_FRAGMENT) continue;
      const isField = selection.kind === Kind.FIELD;
      const name = isField ? (selection.alias ?? selection.name).value : `...${selection.name.value}`;
      const count = (times.get(name) ?? 0) + 1;
      times.set(name, count);
      if (count !== MAX_REPEATS + 1) continue;
      context.reportError(
        new GraphQLError(`\`${name}\` is repeated more than ${MAX_REPEATS} times in one selection set.`, {
          nodes: selection,
        }),
      );
    }
  },
});
