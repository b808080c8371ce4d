import {
  type GraphQLCompositeType,
  type GraphQLResolveInfo,
  getNamedType,
  isCompositeType,
  isObjectType,
  type SelectionSetNode,
} from 'graphql';
import { ALL_SCOPES, type Caller, requireScope } from '../../../domain/kernel/access/caller.ts';
import type { ApiKeyScope } from '../../../generated/prisma/client.ts';

/** The extension key under which a field keeps its required scopes. */
export const SCOPES_EXTENSION = 'requiredScopes';

/** The scopes that a field needs, all of them; empty for an open field. */
export function scopesOfField({ extensions }: { readonly extensions?: unknown }): readonly ApiKeyScope[] {
  const fields = extensions as Readonly<Record<string, unknown>> | undefined;
  return (fields?.[SCOPES_EXTENSION] as readonly ApiKeyScope[] | undefined) ?? [];
}

/**
 * Refuses a top-level field before it runs if the caller lacks the scope of any field below it.
 * Fields excluded by `@skip` or `@include` count too.
 *
 * @throws BillingError authentication_error
 */
export function assertNestedScopes(caller: Caller | undefined, info: GraphQLResolveInfo): void {
  if (caller && ALL_SCOPES.every((scope) => caller.scopes.includes(scope))) return;
  const visited = new Set<string>();
  const checkSelections = (type: GraphQLCompositeType, { selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      if (selection.kind === 'Field') {
        const field = 'getFields' in type ? type.getFields()[selection.name.value] : undefined;
        if (!field) continue;
        const scopes = isObjectType(type) ? scopesOfField(field) : [];
        for (const scope of scopes) requireScope(caller, scope);
        const below = getNamedType(field.type);
        if (selection.selectionSet && isCompositeType(below)) checkSelections(below, selection.selectionSet);
        continue;
      }
      // Each fragment is visited once: fragments that spread each other would take exponential
      // time.
      if (selection.kind === 'FragmentSpread' && visited.has(selection.name.value)) continue;
      if (selection.kind === 'FragmentSpread') visited.add(selection.name.value);
      const part = selection.kind === 'FragmentSpread' ? info.fragments[selection.name.value] : selection;
      const fragmentType = part?.typeCondition && info.schema.getType(part.typeCondition.name.value);
      if (part) checkSelections(isCompositeType(fragmentType) ? fragmentType : type, part.selectionSet);
    }
  };
  const type = getNamedType(info.returnType);
  if (!isCompositeType(type)) return;
  for (const { selectionSet } of info.fieldNodes) if (selectionSet) checkSelections(type, selectionSet);
}
