import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { freePort } from '../../src/postgres/free-port.ts';

const RANGE_FILE = '/proc/sys/net/ipv4/ip_local_port_range';

it('a free port is given to no other process, and a server can listen on it', async () => {
  const [firstGiven] = existsSync(RANGE_FILE) ? readFileSync(RANGE_FILE, 'utf8').split(/\s+/) : ['32768'];
  for (let call = 0; call < 20; call++) {
    const port = await freePort();
    expect(port).toBeLessThan(Number(firstGiven));
    const server = createServer();
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', () => server.close(() => resolve()));
    });
  }
});
