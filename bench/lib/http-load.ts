import { connect, type Socket } from 'node:net';

/** The bytes of a request. */
export type WireRequest = Buffer;

/** Encodes a request once for many uses: the server is measured, not the client beside it. */
export function encodeRequest(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body = '',
): WireRequest {
  const allHeaders = { host: 'localhost', ...headers, 'content-length': String(Buffer.byteLength(body)) };
  const lines = Object.entries(allHeaders).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
}

export interface Answer {
  readonly status: number;
  readonly body: string;
}

/** One keep-alive connection with one request after the other. */
export class Connection {
  readonly #socket: Socket;
  #received = '';
  #resolve: ((answer: Answer) => void) | undefined;
  #reject: ((error: Error) => void) | undefined;

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.#socket = connect(Number(port), hostname).setNoDelay(true).setEncoding('latin1');
    this.#socket.on('data', (text: string) => this.#take(text));
    this.#socket.on('error', (error) => this.#reject?.(error));
    this.#socket.on('close', () => this.#reject?.(new Error('the server closed the connection')));
  }

  ask(request: WireRequest): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      this.#socket.write(request);
    });
  }

  /** Whether it has been closed, for example by the server because it was idle. */
  get isClosed(): boolean {
    return this.#socket.destroyed;
  }

  close(): void {
    this.#socket.removeAllListeners('close').destroy();
  }

  #take(text: string): void {
    this.#received += text;
    const headEnd = this.#received.indexOf('\r\n\r\n');
    if (headEnd < 0) return;
    const head = this.#received.slice(0, headEnd);
    const status = Number(head.slice(9, 12));
    const length = status === 304 ? 0 : /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
    if (length === undefined) throw new Error(`an answer without a content length: ${head}`);
    const end = headEnd + 4 + Number(length);
    if (this.#received.length < end) return;
    const body = this.#received.slice(headEnd + 4, end);
    this.#received = this.#received.slice(end);
    this.#resolve?.({ status, body });
  }
}

/** Requests per second with status 200 or 304, over some connections, until the time is over. */
export async function requestsPerSecond(
  url: string,
  { connections, seconds }: { readonly connections: number; readonly seconds: number },
  next: () => WireRequest,
): Promise<number> {
  const open = Array.from({ length: connections }, () => new Connection(url));
  const since = performance.now();
  const until = since + seconds * 1000;
  let answered = 0;
  await Promise.all(
    open.map(async (connection) => {
      while (performance.now() < until) {
        const { status, body } = await connection.ask(next());
        if ((status !== 200 && status !== 304) || body.includes('"errors"'))
          throw new Error(`answered ${status}: ${body}`);
        answered++;
      }
    }),
  );
  const elapsedSeconds = (performance.now() - since) / 1000;
  for (const connection of open) connection.close();
  return answered / elapsedSeconds;
}
