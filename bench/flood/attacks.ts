import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { WebSocket } from 'ws';

export interface FloodFigures {
  /** The number of responses with status 429 or its error code. */
  refused: number;
  /** The number of other responses. */
  answered: number;
  /** The number of connections. */
  opened: number;
  /** Share of one processor used by the flooder. */
  busyShare: number;
}

export interface AttackOptions {
  readonly port: number;
  /** The addresses of this machine from which the connections come, in turn. */
  readonly localAddresses: readonly string[];
  /** The addresses that a proxy reports for the requests; empty if there is none. */
  readonly forwardedFor: readonly string[];
  /** An open checkout session, whose id opens a live stream without a key. */
  readonly sessionId: string;
  /** The end of the attack, as a time of `performance.now()`. */
  readonly until: number;
  readonly count: FloodFigures;
}

/** The actions of a connection when it opens, and when it gets a response. */
interface Flooder {
  opened(socket: Socket): void;
  answered?(socket: Socket): void;
}

const PIPELINED_BYTES = 65_536;
/**
 * Delay before a closed connection is opened again, because the server is tested, not the kernel.
 */
const REOPEN_MS = 20;
/** Maximum bytes that eight connections write without pause. Each may write an eighth of it. */
const MAX_BYTES = 50_000_000;

export const ATTACKS = {
  pipelining: (options: AttackOptions) =>
    flood(options, 8, (from) => {
      const requests = ['/health/live', '/api/checkout/cs_nobody'].map(
        (path) => `GET ${path} ${requestEnd(from())}`,
      );
      const block = requests.join('').repeat(PIPELINED_BYTES / 64 / 2);
      return { opened: (socket) => writeRepeatedly(socket, Buffer.from(block), options) };
    }),
  'keep-alive': (options: AttackOptions) =>
    flood(options, 1_000, (from) => {
      const ask = (socket: Socket) => socket.write(`GET /api/checkout/cs_nobody ${requestEnd(from())}`);
      return { opened: ask, answered: ask };
    }),
  sse: (options: AttackOptions) =>
    flood(options, 300, (from) => {
      const query = `subscription { checkoutSessionUpdated(id: "${options.sessionId}") { id status } }`;
      const ask = (socket: Socket) =>
        socket.write(post(from(), JSON.stringify({ query }), 'Accept: text/event-stream\r\n'));
      // Each stream is closed after a while and opened again.
      const opened = (socket: Socket) => {
        ask(socket);
        setTimeout(() => socket.destroy(), 200 + Math.random() * 800);
      };
      return { opened };
    }),
  'slow-readers': (options: AttackOptions) =>
    flood(options, 300, (from) => ({
      opened: (socket) => {
        socket.write(`GET /openapi.json ${requestEnd(from())}`.repeat(100));
        socket.pause();
      },
    })),
  'half-open': (options: AttackOptions) =>
    flood(options, 1_000, (from) => ({
      opened: (socket) => {
        socket.write(`GET /api/subscriptions ${requestEnd(from()).slice(0, -2)}X-Long: `);
        const writing = setInterval(() => socket.write('x'.repeat(10)), 100);
        socket.once('close', () => clearInterval(writing));
      },
    })),
  'large-bodies': (options: AttackOptions) =>
    flood(options, 100, (from, index) => {
      const body = JSON.stringify({ query: '{ environment }', extensions: { x: 'x'.repeat(95_000) } });
      const ask = (socket: Socket) => void (socket.destroyed || socket.write(post(from(), body)));
      if (index % 5 > 0) return { opened: ask, answered: ask };
      // One of five sends an endless body.
      const head = `POST /graphql HTTP/1.1\r\nHost: x\r\n${from()}Content-Type: application/json\r\n`;
      const endless = Buffer.from(`10000\r\n${'x'.repeat(65_536)}\r\n`);
      const opened = (socket: Socket) => {
        socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n`);
        writeRepeatedly(socket, endless, options);
      };
      return { opened };
    }),
  sockets: async (options: AttackOptions) => {
    const open: Promise<void>[] = [];
    for (let index = 0; index < 40; index++) open.push(floodSocket(options, index));
    await Promise.all(open);
  },
};

export type AttackName = keyof typeof ATTACKS;

/** Keeps connections open until the time is over. */
async function flood(
  options: AttackOptions,
  connections: number,
  make: (from: () => string, index: number) => Flooder,
): Promise<void> {
  const { port, until, count } = options;
  const open = new Set<Socket>();
  const connectOne = (index: number) => {
    if (performance.now() >= until) return;
    const flooder = make(() => forwardedHeader(options), index);
    const localAddress = localAddressOf(options, index);
    const socket = connect({ port, host: '127.0.0.1', localAddress }).setNoDelay(true);
    open.add(socket);
    socket.once('connect', () => {
      count.opened += 1;
      flooder.opened(socket);
    });
    socket.on('data', (data) => {
      const heads = data.toString('latin1').match(/HTTP\/1\.1 \d+/g) ?? [];
      for (const head of heads) {
        if (head.endsWith('429')) count.refused += 1;
        else count.answered += 1;
      }
      if (heads.length > 0 && performance.now() < until) flooder.answered?.(socket);
    });
    socket.on('error', () => undefined);
    socket.once('close', () => {
      open.delete(socket);
      setTimeout(() => connectOne(index), REOPEN_MS);
    });
  };
  for (let index = 0; index < connections; index++) connectOne(index);
  await wait(until - performance.now());
  for (const socket of open) socket.destroy();
}

/**
 * Opens one WebSocket after another, and sends operations as fast as possible. If the index is a
 * multiple of ten, all of them are large.
 */
async function floodSocket(options: AttackOptions, index: number): Promise<void> {
  const { port, until, count } = options;
  const localAddress = localAddressOf(options, index);
  const comment = index % 10 === 0 ? `#${'x'.repeat(94_000)}` : '';
  const forwardedFor = options.forwardedFor[index % Math.max(1, options.forwardedFor.length)];
  while (performance.now() < until) {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/graphql`, 'graphql-transport-ws', {
      localAddress,
      headers: forwardedFor ? { 'x-forwarded-for': forwardedFor } : {},
    });
    const { promise, resolve } = Promise.withResolvers<void>();
    socket.on('error', () => undefined);
    socket.once('close', () => resolve());
    let sent = 0;
    const ask = () => {
      if (socket.readyState !== socket.OPEN || socket.bufferedAmount > 1_000_000 || sent > 20_000) return;
      for (let more = 0; more < 100; more++) {
        sent += 1;
        const payload = { query: `{ environment }${comment}` };
        socket.send(JSON.stringify({ id: String(sent), type: 'subscribe', payload }));
      }
    };
    socket.on('message', (data: Buffer) => {
      const text = data.toString('latin1');
      if (text.includes('rate_limit_exceeded')) count.refused += 1;
      else if (text.includes('"next"')) count.answered += 1;
    });
    socket.once('open', () => {
      count.opened += 1;
      socket.send('{"type":"connection_init"}');
      socket.once('message', ask);
    });
    const asking = setInterval(ask, 10);
    await Promise.race([promise, wait(Math.max(0, until - performance.now()))]);
    clearInterval(asking);
    socket.terminate();
    await wait(REOPEN_MS);
  }
}

/** Writes the same data repeatedly, as fast as it is accepted. */
function writeRepeatedly(socket: Socket, block: Buffer, { until }: AttackOptions): void {
  let bytesLeft = MAX_BYTES / 8;
  const writeMore = () => {
    while (!socket.destroyed && bytesLeft > 0 && performance.now() < until) {
      bytesLeft -= block.length;
      if (!socket.write(block)) return;
    }
  };
  socket.on('drain', writeMore);
  writeMore();
}

function localAddressOf({ localAddresses }: AttackOptions, index: number): string {
  return localAddresses[index % localAddresses.length] as string;
}

function forwardedHeader({ forwardedFor }: AttackOptions): string {
  const address = forwardedFor[Math.floor(Math.random() * forwardedFor.length)];
  return address ? `X-Forwarded-For: ${address}\r\n` : '';
}

function requestEnd(from: string): string {
  return `HTTP/1.1\r\nHost: x\r\n${from}\r\n`;
}

function post(from: string, body: string, headers = ''): string {
  const head = `POST /graphql HTTP/1.1\r\nHost: x\r\n${from}${headers}Content-Type: application/json\r\n`;
  return `${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}
