import { readFileSync } from 'node:fs';

/** What a page answers whose script is missing. */
export const CUSTOMER_PAGES_NOT_BUILT = 'The pages for customers are not built here. Run: npm run web\n';

export type ScriptName = 'checkout' | 'settle' | 'embed';

/** A script that `web/build-scripts.ts` built; undefined if nothing was built here. */
export function builtScript(name: ScriptName): string | undefined {
  try {
    return readFileSync(new URL(`../../../dist/web/scripts/${name}.js`, import.meta.url), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
