import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

it('.env.example and docs/operations.md have the variables that dues reads', () => {
  const script = fileURLToPath(new URL('../../tools/scripts/describe-variables.ts', import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
  expect({ status, stderr }).toMatchObject({ status: 0 });
});
