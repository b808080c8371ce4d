import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const MERCHANT = `
import { createDuesClient, type DuesClient, verifyWebhook, type WebhookEvent } from 'dues/client';

const client: DuesClient = createDuesClient({ url: 'https://dues.example', apiKey: 'sk_test_x' });
export type Named = WebhookEvent['event'];
export { client, verifyWebhook };
// @ts-expect-error there is no such member
client.noSuchMember;
`;

let project: string;
beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'dues-packed-'));
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

function run(command: string, args: readonly string[], cwd: string) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  return { status, output: status === 0 ? '' : `${stdout}${stderr}` };
}

it('the client is packed so that a new project installs, checks and runs it', () => {
  const success = { status: 0, output: '' };
  const built = readdirSync(join(ROOT, 'dist'), { recursive: true });
  const packer = ['--disable-warning=ExperimentalWarning', 'tools/scripts/pack-client.ts', '--to', project];
  expect(run(process.execPath, packer, ROOT)).toEqual(success);
  // Packing keeps the built pages.
  expect(readdirSync(join(ROOT, 'dist'), { recursive: true })).toEqual(built);
  const [tarball = ''] = readdirSync(project);
  expect(tarball).toMatch(/^dues-\d+\.\d+\.\d+\.tgz$/);

  writeFileSync(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  const install = ['install', '--no-audit', '--no-fund', '--prefer-offline', `./${tarball}`];
  expect(run('npm', install, project)).toEqual(success);
  expect(readdirSync(join(project, 'node_modules/dues')).sort()).toEqual([
    'LICENSE',
    'client',
    'package.json',
  ]);

  writeFileSync(join(project, 'merchant.ts'), MERCHANT);
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024', '--types', ''];
  const checked = run(process.execPath, [tsc, ...options, '--skipLibCheck', 'merchant.ts'], project);
  expect(checked).toEqual(success);
  const script =
    "import { createDuesClient } from 'dues/client'; if (typeof createDuesClient !== 'function') throw 1;";
  expect(run(process.execPath, ['--input-type=module', '--eval', script], project)).toEqual(success);
});
