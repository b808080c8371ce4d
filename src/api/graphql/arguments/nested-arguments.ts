import {
  type FieldNode,
  type GraphQLField,
  GraphQLIncludeDirective,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  GraphQLSkipDirective,
  getArgumentValues,
  getDirectiveValues,
  getNamedType,
  isInterfaceType,
  isObjectType,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

interface Call {
  readonly node: FieldNode;
  readonly field: GraphQLField<unknown, unknown>;
  /**
   * The enclosing selections and the selection itself, if they have directives: variables may
   * exclude them.
   */
  readonly conditional: readonly SelectionNode[];
}

/**
 * Cached by the node of the top-level field. A document that is sent again has the same nodes,
 * because parsed documents are cached.
 */
const cachedCalls = new WeakMap<FieldNode, readonly Call[]>();

/**
 * Names and values of the arguments of all nested fields that pass arguments and are not excluded.
 */
export function nestedArguments(
  info: GraphQLResolveInfo,
): { readonly names: readonly string[]; readonly values: Readonly<Record<string, unknown>> }[] {
  return info.fieldNodes
    .flatMap((node) => callsBelow(node, info))
    .filter(({ conditional }) => conditional.every((selection) => isIncluded(selection, info)))
    .map(({ node, field }) => ({
      names: field.args.map(({ name }) => name),
      values: getArgumentValues(field, node, info.variableValues),
    }));
}

/** Evaluates `@skip` and `@include`. */
function isIncluded(selection: SelectionNode, { variableValues }: GraphQLResolveInfo): boolean {
  const { if: skipped } = getDirectiveValues(GraphQLSkipDirective, selection, variableValues) ?? {};
  const { if: included } = getDirectiveValues(GraphQLIncludeDirective, selection, variableValues) ?? {};
  return skipped !== true && included !== false;
}

function callsBelow(node: FieldNode, info: GraphQLResolveInfo): readonly Call[] {
  const cached = cachedCalls.get(node);
  if (cached) return cached;
  const calls = [...callsIn(info.returnType, node.selectionSet, info, [])];
  cachedCalls.set(node, calls);
  return calls;
}

function* callsIn(
  type: GraphQLOutputType,
  selectionSet: SelectionSetNode | undefined,
  info: GraphQLResolveInfo,
  above: readonly SelectionNode[],
): Generator<Call> {
  const named = getNamedType(type);
  for (const selection of selectionSet?.selections ?? []) {
    const conditional = selection.directives?.length ? [...above, selection] : above;
    if (selection.kind === Kind.FIELD) {
      const fields = isObjectType(named) || isInterfaceType(named) ? named.getFields() : {};
      const field = fields[selection.name.value];
      if (!field) continue;
      if (selection.arguments?.length) yield { node: selection, field, conditional };
      yield* callsIn(field.type, selection.selectionSet, info, conditional);
    } else {
      const fragment =
        selection.kind === Kind.FRAGMENT_SPREAD ? info.fragments[selection.name.value] : selection;
      const fragmentType = fragment?.typeCondition && info.schema.getType(fragment.typeCondition.name.value);
      yield* callsIn(
        (fragmentType as GraphQLOutputType | undefined) ?? type,
        fragment?.selectionSet,
        info,
        conditional,
      );
    }
  }
}
