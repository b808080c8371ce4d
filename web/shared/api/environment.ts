export type EnvironmentName = 'test' | 'live';

/**
 * The environment is the first part of the path, so that every link names it and two tabs can show
 * both. Changing it reloads the page, so no data of the other environment stays in memory.
 */
export function environmentOf(path: string): EnvironmentName | undefined {
  const [, name] = /^\/dashboard\/(test|live)(?:\/|$)/.exec(path) ?? [];
  return name as EnvironmentName | undefined;
}

export const environment: EnvironmentName = environmentOf(location.pathname) ?? 'test';

export const isLive = environment === 'live';

/** The start of every path of this environment. */
export const basePath = `/dashboard/${environment}`;

/**
 * The list of a path in another environment. Ids belong to one environment, so they are dropped.
 */
export function pathIn(other: EnvironmentName, path: string): string {
  const [section = ''] = path.replace(basePath, '').split('/').filter(Boolean);
  return `/dashboard/${other}/${section}`;
}
