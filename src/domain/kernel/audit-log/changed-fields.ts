/** A field's value in JSON: an amount as an integer string, a time as ISO 8601. */
type AuditValue = string | number | boolean | null | readonly AuditValue[];

/** The change of one field; a new field has no `from`. */
export interface FieldChange {
  readonly from?: AuditValue;
  readonly to: AuditValue;
}

export type FieldChanges = Readonly<Record<string, FieldChange>>;

type Field = string | number | boolean | bigint | Date | null | undefined | readonly Field[];
type Fields = Readonly<Record<string, Field>>;

/** The fields of a new object. The caller must not pass secrets. */
export function newFields(fields: Fields): FieldChanges {
  return Object.fromEntries(Object.entries(fields).map(([name, to]) => [name, { to: asJson(to) }]));
}

/** The fields of `after` that differ from `before`. */
export function changedFields<T extends Fields>(
  before: Readonly<Record<keyof T & string, Field>>,
  after: T,
): FieldChanges {
  const changes: Record<string, FieldChange> = {};
  for (const [name, value] of Object.entries(after)) {
    const from = asJson(before[name]);
    const to = asJson(value);
    if (JSON.stringify(from) !== JSON.stringify(to)) changes[name] = { from, to };
  }
  return changes;
}

function asJson(value: Field): AuditValue {
  if (value === undefined || value === null) return null;
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'object') return value.map(asJson);
  return value;
}
