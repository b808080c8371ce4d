import { PortInUse } from '../localnet/server.ts';

/** The ports of a local network, by option. */
export interface LocalnetPorts {
  readonly rpcPort: number;
  readonly wsPort: number;
  readonly yellowstonePort: number;
}

/**
 * Adds the option that sets a port to an error about that port in use; other errors are unchanged.
 */
export function withPortOption({ rpcPort, wsPort, yellowstonePort }: LocalnetPorts, error: unknown): unknown {
  if (!(error instanceof PortInUse)) return error;
  const options: readonly (readonly [string, number])[] = [
    ['--rpc-port', rpcPort],
    ['--ws-port', wsPort],
    ['--yellowstone-port', yellowstonePort],
  ];
  const [option] = options.find(([, port]) => port === error.port) ?? [];
  return new PortInUse(error.port, { option, cause: error });
}
