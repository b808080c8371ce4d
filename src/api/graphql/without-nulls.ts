type WithoutNulls<T> = { [K in keyof T]: Exclude<T[K], null> };

/** Drops null arguments: GraphQL's null means "not given" to a use case. */
export function withoutNulls<T extends object>(args: T): WithoutNulls<T> {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null)) as WithoutNulls<T>;
}
