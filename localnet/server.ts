import type { Server } from 'node:net';

/** A listening server; `close` ends every connection and leaves no handle open. */
export interface RunningServer {
  readonly port: number;
  close(): Promise<void>;
}

/** The port is in use. The message is for the person who chose it. */
export class PortInUse extends Error {
  override name = 'PortInUse';
  readonly port: number;

  /** @param option the option that sets the port */
  constructor(port: number, { option, cause }: { readonly option?: string; readonly cause?: unknown } = {}) {
    const hint = option ? ` with ${option}` : '';
    super(`port ${port} is in use: stop what uses it, or choose another${hint} (0 = any free one)`, {
      cause,
    });
    this.port = port;
  }
}

export interface ListenOptions {
  readonly host: string;
  /** 0 = any free port. */
  readonly port: number;
}

/**
 * Binds a Node server and returns its port.
 *
 * @throws PortInUse
 */
export async function listen(server: Server, { host, port }: ListenOptions): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    const fail = (cause: NodeJS.ErrnoException) =>
      reject(cause.code === 'EADDRINUSE' ? new PortInUse(port, { cause }) : cause);
    server.once('error', fail);
    server.listen(port, host, () => {
      server.off('error', fail);
      resolve();
    });
  });
  const bound = server.address();
  return typeof bound === 'object' && bound ? bound.port : port;
}
