import { z } from 'zod';

/** The environment variables of a process or of an env file. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** The schemas of some variables by their names. */
export type Shape = Readonly<Record<string, z.ZodType>>;

interface Notes {
  /** What the variable does, in sentences. Its rule and its default are added when it is described. */
  readonly text: string;
  /** The default in words, if the schema has none. */
  readonly default?: string;
  /** The value in `.env.example`; nothing if not given. */
  readonly example?: string;
  /** Whether `<name>_FILE` may name a file with the value: for secrets, and what is written next to one. */
  readonly mayBeFile?: true;
}

/** What an operator reads about each variable: `npm run env` writes it down. */
export const notes = z.registry<Notes>();

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Lowercase<Head>}${Capitalize<CamelCase<Tail>>}`
  : Lowercase<Name>;

/** The values of variables under names like `databaseUrl` for `DATABASE_URL`. */
export type CamelCased<Values> = {
  readonly [Name in keyof Values as CamelCase<Name & string>]: Values[Name];
};

/** Renames the values of variables, and leaves out what is not set. */
export function camelCased<Values extends object>(values: Values): CamelCased<Values> {
  const entries = Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [
      name.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]);
  return Object.fromEntries(entries) as CamelCased<Values>;
}
