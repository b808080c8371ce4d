import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { misspeltVariables } from '../../src/config/misspelt-variables.ts';

it.each([
  ['TRUSTED_PROXYS', 'TRUSTED_PROXIES'],
  ['WEBHOOK_HOSTS_ALOWED', 'WEBHOOK_HOSTS_ALLOWED'],
  ['LIVE_MAX_SPONSORED_LAMPORT_PER_DAY', 'LIVE_MAX_SPONSORED_LAMPORTS_PER_DAY'],
  ['REDIS_SENTINAL_NAME', 'REDIS_SENTINEL_NAME'],
  ['SECRET_KEY_FIEL', 'SECRET_KEY_FILE'],
])('%s is taken for %s', (name, meant) => {
  expect(misspeltVariables({ [name]: 'any' })).toEqual([{ name, meant }]);
});

it('variables of dues and of other programs are not misspelt', () => {
  const example = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8');
  const own = [...example.matchAll(/^#? ?([A-Z_]+)=/gm)].map(([, name = '']) => name);
  expect(own.length).toBeGreaterThan(80);
  const others = ['PATH', 'HOST', 'POST', 'HOSTNAME', 'NODE_OPTIONS', 'REDIS_PORT', 'SMTP_USER', 'DUES_PORT'];
  others.push('DOCS_URL', 'DUMP_URL', 'RULES_URL', 'HTTP_URL');
  const env = Object.fromEntries([...own, ...others].map((name) => [name, 'any']));
  expect(misspeltVariables(env)).toEqual([]);
});
