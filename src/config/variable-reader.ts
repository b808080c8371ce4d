import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { ConfigError } from './config-error.ts';
import { FILE_VARIABLES } from './variables/groups.ts';
import type { Shape, Variables } from './variables/notes.ts';

/** Reads variables, and keeps the problem of each wrong one. */
export class VariableReader {
  readonly #set: Record<string, string>;
  readonly #fromFiles = new Set<string>();
  readonly #problems: string[] = [];

  /** Ignores empty variables, because `NAME=` in an env file means that it is not set. */
  constructor(env: Variables) {
    this.#set = Object.fromEntries(
      Object.entries(env).filter((entry): entry is [string, string] => Boolean(entry[1])),
    );
    for (const name of FILE_VARIABLES) this.#readFile(name);
  }

  /** Whether a variable has a value, its own or a file's. The value may be wrong. */
  isSet(name: string): boolean {
    return name in this.#set || this.#fromFiles.has(name);
  }

  /** The values of the variables `<prefix><name>`, by name; undefined if one of them is wrong. */
  read<S extends Shape>(shape: S, prefix = ''): z.output<z.ZodObject<S>> | undefined {
    const values = Object.keys(shape).map((name) => [name, this.#set[`${prefix}${name}`]]);
    const parsed = z.object(shape).safeParse(Object.fromEntries(values));
    if (parsed.success) return parsed.data;
    for (const { path, message } of parsed.error.issues) {
      // The rest of the path, the index in a list, is omitted. Values may be secrets, so a problem
      // contains only our own text.
      const name = `${prefix}${String(path[0])}`;
      if (!this.isSet(name)) this.report(`${name} is missing: it ${message}`);
      else if (!this.#fromFiles.has(name)) this.report(`${name} ${message}`);
      // The problem of a file without a value is known already.
      else if (name in this.#set) this.report(`${name}_FILE has a wrong ${name}: it ${message}`);
    }
    return undefined;
  }

  /** Adds the value that a file holds. A line break at the end of the file is not part of it. */
  #readFile(name: string): void {
    const path = this.#set[`${name}_FILE`];
    if (path === undefined) return;
    this.#fromFiles.add(name);
    if (name in this.#set) {
      delete this.#set[name];
      this.report(`${name}_FILE conflicts with ${name}: set only one of them`);
      return;
    }
    try {
      const text = readFileSync(path, 'utf8').replace(/\r?\n$/, '');
      if (text !== '') this.#set[name] = text;
      else this.report(`${name}_FILE must be the path of a file with ${name}: the file is empty`);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      this.report(`${name}_FILE must be the path of a file with ${name}: it cannot be read (${code})`);
    }
  }

  /** Adds a problem: one line that begins with the name of a variable. */
  report(problem: string): void {
    this.#problems.push(problem);
  }

  get hasProblems(): boolean {
    return this.#problems.length > 0;
  }

  /** An error with every problem on its own line. */
  error(): ConfigError {
    return new ConfigError(
      `The configuration is wrong:\n${this.#problems.map((line) => `  ${line}`).join('\n')}`,
    );
  }
}
