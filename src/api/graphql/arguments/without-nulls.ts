type WithoutNulls<T> = { [K in keyof T]: Exclude<T[K], null> };

/** Drops null arguments. For these use cases GraphQL's null means "not given". */
export function withoutNulls<T extends object>(args: T): WithoutNulls<T> {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null)) as WithoutNulls<T>;
}
