import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { downloadText, readFileText } from '../../bin/read-source.ts';

const LIMITS = { maxBytes: 1_000, timeoutMs: 10_000 };

/** A server whose answer never ends: it sends `chunk` again and again, or once. */
async function endlessServer(chunk: Buffer, isRepeated: boolean): Promise<string> {
  const server = createServer((_, response) => {
    response.write(chunk);
    if (isRepeated) response.on('drain', () => response.write(chunk));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/receipt.json`;
}

it('stops a download at its limit of bytes', async () => {
  const url = await endlessServer(Buffer.alloc(1_000_000), true);
  await expect(downloadText(url, LIMITS)).rejects.toThrow('it has more than 1000 bytes');
});

it('stops a download that is silent until its time limit', async () => {
  const url = await endlessServer(Buffer.from('{'), false);
  await expect(downloadText(url, { ...LIMITS, timeoutMs: 200 })).rejects.toThrow('timeout');
});

it('stops reading a file without an end at the limit of bytes', async () => {
  await expect(readFileText('/dev/zero', LIMITS)).rejects.toThrow('it has more than 1000 bytes');
});
