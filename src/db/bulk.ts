import { Prisma } from '../generated/prisma/client.ts';
import type { DbTransaction } from './db.ts';
import { PREPARED } from './prepared.ts';

type Table = Prisma.ModelName;
type Scalars<T extends Table> = Prisma.TypeMap['model'][T]['payload']['scalars'];
type Column<T extends Table> = keyof Scalars<T> & string;
/** A row of a table, typed by Prisma's model. A JSON column takes anything that JSON can say. */
type Row<T extends Table> = {
  [C in Column<T>]: Prisma.JsonValue extends Scalars<T>[C] ? unknown : Scalars<T>[C];
};
type Writer = Pick<DbTransaction, '$executeRaw'>;

/**
 * Writes rows as a single parameter, for `jsonb_to_recordset`. Use `recordsOf` instead where all
 * fields are columns of one table.
 */
export function asRows(rows: readonly unknown[]): string {
  return JSON.stringify(rows, (_, value: unknown) => {
    // As text, which the column's type converts exactly. A JSON number would lose digits.
    if (typeof value === 'bigint') return String(value);
    return value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : value;
  });
}

/**
 * Rows as a relation in a statement, with all columns of a table: a field has the type of its
 * column, and a column without a field is null.
 */
export function recordsOf<T extends Table>(table: T, rows: readonly Partial<Row<T>>[]): Prisma.Sql {
  return Prisma.sql`jsonb_populate_recordset(NULL::${name(table)}, ${asRows(rows)}::jsonb)`;
}

/** Inserts rows in one statement. Other columns get their defaults, other fields are ignored. */
export async function insertRows<T extends Table, C extends Column<T>>(
  tx: Writer,
  table: T,
  columns: readonly C[],
  rows: readonly Pick<Row<T>, C>[],
): Promise<void> {
  if (rows.length === 0) return;
  const names = Prisma.join(columns.map(name));
  await tx.$executeRaw`${PREPARED}
    INSERT INTO ${name(table)} (${names}) SELECT ${names} FROM ${recordsOf(table, withOnly(columns, rows))}`;
}

/**
 * Sets columns of the rows with the same `id`, in one statement.
 *
 * @param condition what must also hold for the row in the database, which is named by its table
 */
export async function updateRows<T extends Table, C extends Column<T>>(
  tx: Writer,
  table: T,
  columns: readonly C[],
  rows: readonly Pick<Row<T>, C | ('id' & Column<T>)>[],
  condition: Prisma.Sql = Prisma.sql`true`,
): Promise<void> {
  if (rows.length === 0) return;
  const changes = Prisma.join(columns.map((column) => Prisma.sql`${name(column)} = r.${name(column)}`));
  await tx.$executeRaw`${PREPARED}
    UPDATE ${name(table)} SET ${changes} FROM ${recordsOf(table, withOnly(['id', ...columns], rows))} AS r
    WHERE ${name(table)}."id" = r."id" AND ${condition}`;
}

/**
 * The rows without their other fields. A row may be a large object, of which both sides would read
 * and write everything.
 */
function withOnly<T extends Table>(columns: readonly string[], rows: readonly object[]): Partial<Row<T>>[] {
  return rows.map((row) => {
    const fields = row as Readonly<Record<string, unknown>>;
    return Object.fromEntries(columns.map((column) => [column, fields[column]])) as Partial<Row<T>>;
  });
}

const name = (identifier: string) => Prisma.raw(`"${identifier}"`);
