import { readFileSync } from 'node:fs';

/** The response for a page whose script was not built. */
export const CUSTOMER_PAGES_NOT_BUILT = 'The pages for customers are not built here. Run: npm run web\n';

export type ScriptName = 'checkout' | 'settle' | 'completed' | 'embed';

/** Reads a script that `web/build-scripts.ts` built; undefined if it was not built. */
export function builtScript(name: ScriptName): string | undefined {
  try {
    return readFileSync(new URL(`../../../dist/web/scripts/${name}.js`, import.meta.url), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
