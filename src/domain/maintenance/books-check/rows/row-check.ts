import type { Environment } from '../../../../generated/prisma/client.ts';
import { Prisma } from '../../../../generated/prisma/client.ts';

/** The rows to check. */
export interface RowScope {
  readonly environment: Environment;
  /** Undefined means all merchants. */
  readonly merchantId?: string | undefined;
  readonly now: Date;
}

/** A rule that the rows keep among themselves. */
export interface RowCheck {
  /** A stable name, `table.rule`. */
  readonly name: string;
  /** What is wrong with a row that is found, as a sentence. */
  readonly problem: string;
  /** Selects the wrong rows: their `id` and a `detail`, both as text. */
  readonly wrong: (scope: RowScope) => Prisma.Sql;
}

/** The condition that a table with this alias is in scope. */
export function within(alias: string, { environment, merchantId }: RowScope): Prisma.Sql {
  const table = Prisma.raw(alias);
  const merchant =
    merchantId === undefined ? Prisma.empty : Prisma.sql`AND ${table}."merchantId" = ${merchantId}::uuid`;
  return Prisma.sql`(${table}."environment" = ${environment}::"Environment" ${merchant})`;
}
