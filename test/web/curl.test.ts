import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { curlOf } from '../../web/dashboard/pages/delivery/curl.ts';

/** The arguments that a shell passes to curl. */
function argumentsOf(command: string): string[] {
  const script = `curl() { for part; do printf '%s\\0' "$part"; done; }\n${command}`;
  return execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1);
}

it('a shell reads the same URL, headers and bytes, whatever they contain', () => {
  const url = "https://shop.example/hook?token=$HOME&of='x'&filter[type]={a}";
  const body = '{"name":"Zoë\'s `shop` \\\\ $(id) \\n","amount":"5000000"}';
  const headers = [{ name: 'x-webhook-signature', value: 't=1,v1=ab,v1=cd' }];
  expect(argumentsOf(curlOf({ url, headers, body }))).toEqual([
    '-g',
    '-i',
    url,
    '-H',
    'x-webhook-signature: t=1,v1=ab,v1=cd',
    '--data-raw',
    body,
  ]);
});
