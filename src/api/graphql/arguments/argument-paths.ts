import {
  type ASTNode,
  type DocumentNode,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isRequiredArgument,
  isRequiredInputField,
  Kind,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';

/** Argument and field names and list indexes, outermost first: `filter`, `walletAddress`. */
export type ArgumentPath = readonly (string | number)[];

/** Maps each node of a document to the argument, or part of an argument, that it belongs to. */
export interface ArgumentPaths {
  /** Undefined for a node that belongs to no argument, for example an unknown field. */
  pathOf(node: ASTNode): ArgumentPath | undefined;
  /** The first argument that uses the variable; the variable's own name if no argument does. */
  pathOfVariable(name: string): ArgumentPath;
  /** The required arguments or input fields that a field or an input object lacks. */
  missingIn(node: ASTNode): readonly ArgumentPath[];
}

/** Reads a document once. The document may be invalid: this finds the params of its errors. */
export function argumentPaths(schema: GraphQLSchema, document: DocumentNode): ArgumentPaths {
  const paths = new Map<ASTNode, ArgumentPath>();
  const missing = new Map<ASTNode, ArgumentPath[]>();
  const uses = new Map<string, ArgumentPath>();
  const types = new TypeInfo(schema);
  const pathOfVariable = (name: string) => uses.get(name) ?? [name];
  visit(
    document,
    visitWithTypeInfo(types, {
      enter(node, key, parent, _path, ancestors) {
        const above = (Array.isArray(parent) ? ancestors.at(-1) : parent) as ASTNode | undefined;
        const path = pathBelow(above && paths.get(above), node, above?.kind === Kind.LIST ? key : undefined);
        if (path) paths.set(node, path);
        if (node.kind === Kind.VARIABLE && path && !uses.has(node.name.value) && !isOwn(path)) {
          uses.set(node.name.value, path);
        }
        const names = missingNames(types, node);
        if (names.length > 0) {
          missing.set(
            node,
            names.map((name) => [...(path ?? []), name]),
          );
        }
      },
    }),
  );
  // Which argument uses a variable is known only after the whole document was read.
  const resolved = (path: ArgumentPath) =>
    isOwn(path) ? [...pathOfVariable(String(path[0]).slice(1)), ...path.slice(1)] : path;
  return {
    pathOfVariable,
    pathOf: (node) => {
      const path = paths.get(node);
      return path && resolved(path);
    },
    missingIn: (node) => (missing.get(node) ?? []).map(resolved),
  };
}

function pathBelow(
  above: ArgumentPath | undefined,
  node: ASTNode,
  index: string | number | undefined,
): ArgumentPath | undefined {
  if (node.kind === Kind.ARGUMENT) return [node.name.value];
  // A placeholder until the variable's argument is known. No argument name begins with `$`.
  if (node.kind === Kind.VARIABLE_DEFINITION) return [`$${node.variable.name.value}`];
  if (!above) return undefined;
  if (node.kind === Kind.OBJECT_FIELD) return [...above, node.name.value];
  return index === undefined ? above : [...above, index];
}

/** Whether the path lies in a variable's definition, for example in its default value. */
function isOwn([first]: ArgumentPath): boolean {
  return String(first).startsWith('$');
}

function missingNames(types: TypeInfo, node: ASTNode): string[] {
  if (node.kind === Kind.FIELD) {
    const present = new Set(node.arguments?.map(({ name }) => name.value));
    const required = types.getFieldDef()?.args.filter(isRequiredArgument) ?? [];
    return required.map(({ name }) => name).filter((name) => !present.has(name));
  }
  if (node.kind !== Kind.OBJECT) return [];
  const type = getNamedType(types.getInputType());
  if (!isInputObjectType(type)) return [];
  const present = new Set(node.fields.map(({ name }) => name.value));
  const required = Object.values(type.getFields()).filter(isRequiredInputField);
  return required.map(({ name }) => name).filter((name) => !present.has(name));
}
