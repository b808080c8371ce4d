type Given<T> = { [K in keyof T]: Exclude<T[K], null> };

/** Arguments as use cases take them: GraphQL's null means not given. */
export function given<T extends object>(args: T): Given<T> {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null)) as Given<T>;
}
