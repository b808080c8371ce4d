/** The environment of a process, or what an env file says. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** An empty variable is an unset one: that is what `NAME=` in an env file means to people. */
export function variablesSet(env: Variables): Variables {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
}
