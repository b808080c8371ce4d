import {
  type FieldNode,
  type FragmentDefinitionNode,
  type FragmentSpreadNode,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  getNamedType,
  type InlineFragmentNode,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import {
  ALL_ROWS,
  isColumn,
  type ListedColumns,
  type ListedRows,
  listedRows,
} from '../../../domain/billing/read/read-subscriptions.ts';

type Table = keyof ListedColumns;

/** What an operation selects of listed subscriptions. */
class Selected {
  readonly columns: Readonly<Record<Table, Set<string>>> = {
    subscription: new Set(),
    customer: new Set(),
    plan: new Set(),
  };
  /** Whether it selects a field whose columns are unknown. */
  isUnknown = false;
  /** Whether it selects rows of other tables. */
  hasOtherRows = false;
  /** Fragments that were visited, by type. Fragments that spread each other would take exponential time. */
  readonly fragments = new Set<string>();
}

/**
 * Cached by the node of the top-level field. A document that is sent again has the same nodes, because parsed
 * documents are cached. A field that is written more than once is not cached: its variables or its operation
 * decide which of the nodes are merged.
 */
const cachedRows = new WeakMap<FieldNode, { readonly rows: ListedRows | undefined }>();

/**
 * How to read the subscriptions at a path below the field: with the columns that the operation selects. Undefined
 * if it selects rows that a list does not have.
 */
export function selectedRows(info: GraphQLResolveInfo, path: readonly string[]): ListedRows | undefined {
  const [node, ...otherNodes] = info.fieldNodes;
  const isCached = node !== undefined && otherNodes.length === 0;
  const cached = isCached && cachedRows.get(node);
  if (cached) return cached.rows;
  const selected = new Selected();
  const type = getNamedType(info.returnType);
  for (const { selectionSet } of info.fieldNodes) {
    if (selectionSet && isObjectType(type)) selectBelow(selected, info, { type, selectionSet, path });
  }
  const rows = rowsOf(selected);
  if (isCached) cachedRows.set(node, { rows });
  return rows;
}

function rowsOf({ columns, isUnknown, hasOtherRows }: Selected): ListedRows | undefined {
  if (hasOtherRows) return undefined;
  if (isUnknown) return ALL_ROWS;
  const { subscription, customer, plan } = columns;
  return listedRows({
    subscription: [...subscription],
    customer: [...customer],
    plan: [...plan],
  } as unknown as ListedColumns);
}

interface Below {
  readonly type: GraphQLObjectType;
  readonly selectionSet: SelectionSetNode;
  /** The way to the subscriptions. */
  readonly path: readonly string[];
  /** The table of the type, at the end of the path. */
  readonly table?: Table;
}

function selectBelow(selected: Selected, info: GraphQLResolveInfo, below: Below): void {
  const { type, selectionSet, path, table = 'subscription' } = below;
  for (const selection of selectionSet.selections) {
    if (selection.kind !== Kind.FIELD) {
      const fragment = fragmentOf(selected, info, type, selection);
      if (fragment) selectBelow(selected, info, { ...below, selectionSet: fragment.selectionSet });
      continue;
    }
    const { name, selectionSet: nested } = selection;
    const field = type.getFields()[name.value];
    if (!field) continue;
    const fieldType = getNamedType(field.type);
    const [next, ...rest] = path;
    if (next === undefined) {
      const relation = selectField(selected, table, field.extensions);
      if (relation && nested && isObjectType(fieldType)) {
        selectBelow(selected, info, { type: fieldType, selectionSet: nested, path, table: relation });
      }
    } else if (next === name.value && nested && isObjectType(fieldType)) {
      selectBelow(selected, info, { type: fieldType, selectionSet: nested, path: rest });
    }
  }
}

/** The fragment of a selection; undefined if it was visited. */
function fragmentOf(
  { fragments }: Selected,
  info: GraphQLResolveInfo,
  type: GraphQLObjectType,
  selection: FragmentSpreadNode | InlineFragmentNode,
): FragmentDefinitionNode | InlineFragmentNode | undefined {
  if (selection.kind === Kind.INLINE_FRAGMENT) return selection;
  const visit = `${selection.name.value} ${type.name}`;
  if (fragments.has(visit)) return undefined;
  fragments.add(visit);
  return info.fragments[selection.name.value];
}

/** Adds what a field reads of its row. Returns the table of the field, if the list has it. */
function selectField(
  selected: Selected,
  table: Table,
  { pothosExposedField, pothosPrismaSelect, pothosPrismaRelationField }: Readonly<Record<string, unknown>>,
): Table | undefined {
  const { name } = (pothosPrismaRelationField ?? {}) as { readonly name?: string };
  if (table === 'subscription' && (name === 'customer' || name === 'plan')) return name;
  if (typeof pothosPrismaSelect === 'function') selected.hasOtherRows = true;
  else if (pothosPrismaSelect) selectColumns(selected, table, pothosPrismaSelect as Select);
  else if (typeof pothosExposedField === 'string')
    selectColumns(selected, table, { [pothosExposedField]: true });
  else selected.isUnknown = true;
  return undefined;
}

/** As in Prisma's queries. */
type Select = Readonly<Record<string, true | { readonly select?: Select }>>;

function selectColumns(selected: Selected, table: Table, select: Select): void {
  for (const [name, value] of Object.entries(select)) {
    const isRelation = table === 'subscription' && (name === 'customer' || name === 'plan');
    if (isRelation && value !== true && value.select) selectColumns(selected, name, value.select);
    else if (isRelation) selected.isUnknown = true;
    else if (isColumn(table, name)) selected.columns[table].add(name);
    else selected.hasOtherRows = true;
  }
}
