import {
  type FieldNode,
  type GraphQLField,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  getArgumentValues,
  getNamedType,
  isInterfaceType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql';

interface Call {
  readonly node: FieldNode;
  readonly field: GraphQLField<unknown, unknown>;
}

/** By the top field's node: a document that is sent again is parsed once. */
const known = new WeakMap<FieldNode, readonly Call[]>();

/** What the fields below one are given, and what they could be given; of those that are given anything. */
export function argumentsBelow(
  info: GraphQLResolveInfo,
): { readonly names: readonly string[]; readonly given: Readonly<Record<string, unknown>> }[] {
  return info.fieldNodes
    .flatMap((node) => callsBelow(node, info))
    .map(({ node, field }) => ({
      names: field.args.map(({ name }) => name),
      given: getArgumentValues(field, node, info.variableValues),
    }));
}

function callsBelow(node: FieldNode, info: GraphQLResolveInfo): readonly Call[] {
  const before = known.get(node);
  if (before) return before;
  const calls = [...callsIn(info.returnType, node.selectionSet, info)];
  known.set(node, calls);
  return calls;
}

function* callsIn(
  type: GraphQLOutputType,
  selectionSet: SelectionSetNode | undefined,
  info: GraphQLResolveInfo,
): Generator<Call> {
  const named = getNamedType(type);
  for (const selection of selectionSet?.selections ?? []) {
    if (selection.kind === Kind.FIELD) {
      const fields = isObjectType(named) || isInterfaceType(named) ? named.getFields() : {};
      const field = fields[selection.name.value];
      if (!field) continue;
      if (selection.arguments?.length) yield { node: selection, field };
      yield* callsIn(field.type, selection.selectionSet, info);
    } else {
      const fragment =
        selection.kind === Kind.FRAGMENT_SPREAD ? info.fragments[selection.name.value] : selection;
      const on = fragment?.typeCondition && info.schema.getType(fragment.typeCondition.name.value);
      yield* callsIn((on as GraphQLOutputType | undefined) ?? type, fragment?.selectionSet, info);
    }
  }
}
