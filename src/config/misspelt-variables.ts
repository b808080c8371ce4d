import leven from 'leven';
import { clusterVariableNames } from './cluster-config.ts';
import { generalVariables } from './general-variables.ts';
import { apiVariables } from './part-from-env.ts';
import { redisVariables } from './redis-config.ts';
import { SECRETS } from './secret-files.ts';
import type { Variables } from './variables.ts';

/** Shorter names resemble too many others: `HOST` is one letter from `POST`. */
const MIN_LENGTH = 8;
/** Maximum letters that are added, missing or different. */
const MAX_DISTANCE = 2;

const NAMES: ReadonlySet<string> = new Set([
  ...Object.keys(generalVariables.shape),
  ...Object.keys(redisVariables.shape),
  ...Object.keys(apiVariables.shape),
  ...clusterVariableNames(),
  ...SECRETS.map((name) => `${name}_FILE`),
]);

/** A variable that dues ignores, and the variable of dues that was probably meant. */
interface MisspeltVariable {
  readonly name: string;
  readonly meant: string;
}

/**
 * The variables whose names almost are those of dues. An optional variable with a wrong name has no
 * effect, which nobody would notice otherwise.
 */
export function misspeltVariables(env: Variables): MisspeltVariable[] {
  return Object.keys(env).flatMap((name) => {
    if (NAMES.has(name) || name.length < MIN_LENGTH) return [];
    const meant = closest(name);
    return meant === undefined ? [] : [{ name, meant }];
  });
}

function closest(name: string): string | undefined {
  let found: { readonly known: string; readonly distance: number } | undefined;
  for (const known of NAMES) {
    const distance = leven(name, known);
    if (distance < (found?.distance ?? MAX_DISTANCE + 1)) found = { known, distance };
  }
  return found?.known;
}
