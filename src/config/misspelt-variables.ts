import leven from 'leven';
import { VARIABLE_NAMES } from './variables/groups.ts';
import type { Variables } from './variables/notes.ts';

/** Shorter names resemble too many others: `HOST` is one letter from `POST`. */
const MIN_LENGTH = 8;
/** Names of at least this length may differ by two letters, shorter ones by one. */
const LONG_LENGTH = 12;

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
    if (VARIABLE_NAMES.has(name) || name.length < MIN_LENGTH) return [];
    const meant = closest(name);
    // If the other variable is set too, this one probably belongs to another program.
    return meant === undefined || env[meant] !== undefined ? [] : [{ name, meant }];
  });
}

/** The known name with the fewest letters that are added, missing or different. */
function closest(name: string): string | undefined {
  const maxDistance = name.length < LONG_LENGTH ? 1 : 2;
  let found: { readonly known: string; readonly distance: number } | undefined;
  for (const known of VARIABLE_NAMES) {
    const distance = leven(name, known);
    if (distance < (found?.distance ?? maxDistance + 1)) found = { known, distance };
  }
  return found?.known;
}
