import { GraphQLError, Kind, type ValidationRule } from 'graphql';

/**
 * How often one selection may ask for the same thing. GraphQL answers it once, but merges every one of them first: a short
 * document of nothing but repetitions is dear to check.
 */
export const MAX_REPEATS = 10;

/** One result name, or one fragment, at most so often in one selection. */
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
        new GraphQLError(`\`${name}\` is asked for more than ${MAX_REPEATS} times in one selection.`, {
          nodes: selection,
        }),
      );
    }
  },
});
