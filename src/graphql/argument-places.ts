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

/** Names of arguments and of fields in them, and places in lists, outermost first: `filter`, `walletAddress`. */
export type ArgumentPath = readonly (string | number)[];

/** Which argument, or which part of one, each place in a document stands for. */
export interface ArgumentPlaces {
  /** Undefined for what is about no argument: a field that there is not, for one. */
  pathOf(node: ASTNode): ArgumentPath | undefined;
  /** The argument that a variable is given to first; where it is given to none, its own name. */
  ofVariable(name: string): ArgumentPath;
  /** What a field, or an object in an argument, had to be given and was not. */
  missingIn(node: ASTNode): readonly ArgumentPath[];
}

/** Reads a document once. It may be invalid: that is when it is asked. */
export function argumentPlaces(schema: GraphQLSchema, document: DocumentNode): ArgumentPlaces {
  const paths = new Map<ASTNode, ArgumentPath>();
  const missing = new Map<ASTNode, ArgumentPath[]>();
  const uses = new Map<string, ArgumentPath>();
  const types = new TypeInfo(schema);
  const ofVariable = (name: string) => uses.get(name) ?? [name];
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
  // Only now it is known where the variables are given to.
  const resolved = (path: ArgumentPath) =>
    isOwn(path) ? [...ofVariable(String(path[0]).slice(1)), ...path.slice(1)] : path;
  return {
    ofVariable,
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
  // For now by the variable's name, which no argument can have.
  if (node.kind === Kind.VARIABLE_DEFINITION) return [`$${node.variable.name.value}`];
  if (!above) return undefined;
  if (node.kind === Kind.OBJECT_FIELD) return [...above, node.name.value];
  return index === undefined ? above : [...above, index];
}

/** Whether it is a place in the definition of a variable, its default for one. */
function isOwn([first]: ArgumentPath): boolean {
  return String(first).startsWith('$');
}

function missingNames(types: TypeInfo, node: ASTNode): string[] {
  if (node.kind === Kind.FIELD) {
    const given = new Set(node.arguments?.map(({ name }) => name.value));
    const required = types.getFieldDef()?.args.filter(isRequiredArgument) ?? [];
    return required.map(({ name }) => name).filter((name) => !given.has(name));
  }
  if (node.kind !== Kind.OBJECT) return [];
  const type = getNamedType(types.getInputType());
  if (!isInputObjectType(type)) return [];
  const given = new Set(node.fields.map(({ name }) => name.value));
  const required = Object.values(type.getFields()).filter(isRequiredInputField);
  return required.map(({ name }) => name).filter((name) => !given.has(name));
}
