import { createServer } from 'node:net';
import { hostname } from 'node:os';
import { promisify } from 'node:util';
import {
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type ServiceDefinition,
  type sendUnaryData,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { coalesceMessages } from './geyser/coalesce-messages.ts';
import { type Failure, failureOf, SHUTTING_DOWN, UNAUTHENTICATED } from './geyser/failures.ts';
import { Feed } from './geyser/feed.ts';
import { type SubscribeCall, SubscriberStream } from './geyser/stream.ts';
import { UNARY_METHODS } from './geyser/unary-methods.ts';
import { hostInUrl } from './host-in-url.ts';
import type { Network } from './network.ts';
import { type ListenOptions, listen, type RunningServer } from './server.ts';

/** The real server's default. */
const DEFAULT_MAX_BUFFERED_UPDATES = 250_000;
/** A filter may name very many accounts. */
const MAX_REQUEST_BYTES = 64 * 1024 * 1024;
const SHUTDOWN_GRACE_MS = 200;

export interface GeyserOptions extends ListenOptions {
  /** The `x-token` header that clients must send. If it is not set, any client may call. */
  readonly xToken?: string;
  /** Maximum updates that wait for a slow reader. Beyond it the stream ends. Default 250,000. */
  readonly maxBufferedUpdates?: number;
}

/**
 * A Yellowstone gRPC server for the network, for the clients of real servers. Order, filters,
 * limits, status codes and messages match rpcpool/yellowstone-grpc of August 2026, including
 * oddities. Known differences:
 *
 * - A replay at `processed` includes the slot in progress; the real server leaves a gap there.
 * - Invalid request bytes end a stream with an error; the real server ends it silently.
 * - IsBlockhashValid answers as RPC does, up to `lastValidBlockHeight`; the real server drops
 *   blockhashes after 332 slots.
 * - One entry per block, no rewards, no cost units, no votes; cuckoo filters are refused;
 *   SubscribeDeshred, startup snapshots and the health service are missing.
 *
 * @throws PortInUse
 */
export async function startGeyserServer(network: Network, options: GeyserOptions): Promise<RunningServer> {
  const { xToken, maxBufferedUpdates = DEFAULT_MAX_BUFFERED_UPDATES } = options;
  const feed = new Feed(network);
  const streams = new Set<SubscriberStream>();
  const isAuthorized = (call: Pick<SubscribeCall, 'metadata'>) =>
    xToken === undefined || call.metadata.get('x-token')[0] === xToken;

  const implementation: UntypedServiceImplementation = {
    Subscribe: (call: SubscribeCall) => {
      if (!isAuthorized(call)) {
        call.emit('error', UNAUTHENTICATED);
        return;
      }
      const stream = new SubscriberStream(call, feed, maxBufferedUpdates, () => streams.delete(stream));
      streams.add(stream);
    },
  };
  for (const [name, answer] of Object.entries(UNARY_METHODS)) {
    implementation[name] = (call: ServerUnaryCall<Buffer, Uint8Array>, reply: sendUnaryData<Uint8Array>) => {
      if (!isAuthorized(call)) return reply(UNAUTHENTICATED);
      try {
        reply(null, answer(call.request, { network, firstSlot: feed.firstSlot, hostname: hostname() }));
      } catch (cause) {
        reply(failureOf(cause));
      }
    };
  }

  const endStreams = (failure?: Failure) => {
    for (const stream of [...streams]) stream.end(failure);
  };
  const server = new Server({
    interceptors: [coalesceMessages],
    'grpc.max_receive_message_length': MAX_REQUEST_BYTES,
    'grpc.max_send_message_length': -1,
  });
  server.addService(serviceDefinition(), implementation);
  let port: number;
  try {
    port = await bind(server, options);
  } catch (cause) {
    feed.close();
    server.forceShutdown();
    throw cause;
  }
  const stopFaults = network.faults.onStreamFault((faults) => {
    feed.setFaults(faults);
    if (faults.cut) {
      network.faults.count('cut', streams.size);
      endStreams(SHUTTING_DOWN);
    }
    if (faults.end) {
      network.faults.count('end', streams.size);
      endStreams();
    }
  });

  return {
    port,
    async close() {
      stopFaults();
      feed.close();
      endStreams(SHUTTING_DOWN);
      await shutDown(server);
    },
  };
}

// Messages pass as bytes in both directions: requests are decoded where an error can be answered
// with the real server's message, and updates are encoded once for many streams.
function serviceDefinition(): ServiceDefinition {
  const method = (name: string, isStream: boolean) => ({
    path: `/geyser.Geyser/${name}`,
    requestStream: isStream,
    responseStream: isStream,
    requestSerialize: asBuffer,
    requestDeserialize: (bytes: Buffer) => bytes,
    responseSerialize: asBuffer,
    responseDeserialize: (bytes: Buffer) => bytes,
  });
  const unary = Object.keys(UNARY_METHODS).map((name) => [name, method(name, false)]);
  return { Subscribe: method('Subscribe', true), ...Object.fromEntries(unary) };
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

async function bind(server: Server, { host, port }: ListenOptions): Promise<number> {
  // gRPC logs a bind failure and passes on only its text, so a plain server checks the port first.
  if (port !== 0) {
    const probe = createServer();
    await listen(probe, { host, port });
    await new Promise((resolve) => probe.close(resolve));
  }
  const bindAsync = promisify(server.bindAsync.bind(server));
  return bindAsync(`${hostInUrl(host)}:${port}`, ServerCredentials.createInsecure());
}

/** Gives ended streams time to send their error to clients that still read. */
function shutDown(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.forceShutdown(), SHUTDOWN_GRACE_MS);
    server.tryShutdown(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
