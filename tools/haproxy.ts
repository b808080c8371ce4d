import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../src/postgres/free-port.ts';
import { findProgram } from './find-program.ts';
import { pollUntil } from './poll-until.ts';
import { stopWithThisProcess } from './stop-with-this-process.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** The configuration of HAProxy that dues is shipped with. */
export const HAPROXY_CONFIG = fileURLToPath(new URL('../deploy/haproxy/haproxy.cfg', import.meta.url));

/** Path of HAProxy on this machine, if there is one. */
export const findHaproxy = () => findProgram('haproxy');

interface HaproxyOptions {
  /** Port of the API on this machine. */
  readonly apiPort: number;
  /** Changes a copy of the shipped configuration, for example to shorter times. */
  readonly edit?: (config: string) => string;
  /** A file with a certificate and its key. With it HAProxy also listens with TLS. */
  readonly certificate?: string;
}

export interface RunningHaproxy {
  readonly url: string;
  readonly port: number;
  readonly tlsPort: number;
}

/**
 * Starts HAProxy with the shipped configuration in front of an API, on free ports. `closing` stops
 * it.
 */
export async function startHaproxy(
  closing: AsyncDisposableStack,
  binary: string,
  { apiPort, edit = (config) => config, certificate }: HaproxyOptions,
): Promise<RunningHaproxy> {
  const folder = await temporaryFolder(closing, 'dues-haproxy-');
  const file = join(folder, 'haproxy.cfg');
  await writeFile(file, edit(await readFile(HAPROXY_CONFIG, 'utf8')));
  const [port, tlsPort] = [await freePort(), await freePort()];
  const server = spawn(binary, ['-f', file], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      DUES_API: `127.0.0.1:${apiPort}`,
      DUES_LISTEN: `127.0.0.1:${port}`,
      DUES_LISTEN_TLS: `127.0.0.1:${tlsPort}`,
      ...(certificate && { DUES_CERTIFICATE: certificate }),
    },
  });
  stopWithThisProcess(server);
  let output = '';
  server.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const exited = once(server, 'exit');
  closing.defer(async () => {
    server.kill();
    await exited;
  });
  await pollUntil(() => {
    if (server.exitCode !== null) throw new Error(`HAProxy ended: ${output}`);
    return accepts(port);
  });
  return { url: `http://127.0.0.1:${port}`, port, tlsPort };
}

/** Whether something accepts connections at a port. */
async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
