// `node test/docs/from-nothing.ts`: follows "Your first subscription in five minutes" exactly, in a
// new clone of the last commit, with the ports that the page names. It prints the seconds to the
// first webhook, and fails if they exceed five minutes.
import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { followPage } from './follow-page.ts';

const TARGET_SECONDS = 300;
const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const folder = await mkdtemp(join(tmpdir(), 'dues-from-nothing-'));
// If this runs as root, PostgreSQL runs as another user, which needs access to the folder.
await chmod(folder, 0o755);
const clone = join(folder, 'dues');
// The programs of the machine, without those of this checkout.
const path = process.env.PATH?.split(delimiter).filter((entry) => !entry.includes('node_modules'));
const env = { ...process.env, PATH: path?.join(delimiter) };
let firstWebhook: number | undefined;
const startedAt = performance.now();
const elapsedSeconds = () => (performance.now() - startedAt) / 1000;
try {
  execFileSync('git', ['clone', '--quiet', ROOT, clone], { stdio: 'inherit' });
  const page = await readFile(join(clone, 'docs/guides/first-subscription.md'), 'utf8');
  await followPage(page, {
    cwd: clone,
    env,
    withinMs: TARGET_SECONDS * 1000,
    onBlock: ({ language, title, code }) => {
      if (code.startsWith('subscription.created')) firstWebhook ??= elapsedSeconds();
      console.log(`${elapsedSeconds().toFixed(1).padStart(6)} s  ${language} ${title}`);
    },
  });
} finally {
  await rm(folder, { recursive: true });
}
if (firstWebhook === undefined) throw new Error('The page shows no webhook');
console.log(
  JSON.stringify({ first_webhook_s: Math.round(firstWebhook), whole_page_s: Math.round(elapsedSeconds()) }),
);
if (firstWebhook > TARGET_SECONDS) process.exitCode = 1;
