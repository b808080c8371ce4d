import { once } from 'node:events';
import { onTestFinished, vi } from 'vitest';
import { WebSocket } from 'ws';
import { SOON } from '../../support/soon.ts';

export interface RpcResponse {
  readonly jsonrpc: '2.0';
  readonly id: string | number | null;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export interface Notification {
  readonly jsonrpc: '2.0';
  readonly method: string;
  readonly params: { readonly result: never; readonly subscription: number };
}

/** A client without a library: the messages on the wire, in order. */
export class RawClient {
  readonly messages: unknown[] = [];
  readonly socket: WebSocket;
  #lastId = 0;

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (data) => this.messages.push(JSON.parse(String(data))));
  }

  static async connect(port: number, path = ''): Promise<RawClient> {
    const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`);
    onTestFinished(() => socket.terminate());
    await once(socket, 'open');
    return new RawClient(socket);
  }

  get notifications(): Notification[] {
    return this.messages.filter((message): message is Notification => Object(message).method !== undefined);
  }

  /** The results of one subscription's notifications so far. */
  notificationsOf(subscription: unknown): unknown[] {
    return this.notifications
      .filter(({ params }) => params.subscription === subscription)
      .map(({ params }) => params.result);
  }

  async call(method: string, params?: readonly unknown[]): Promise<RpcResponse> {
    this.#lastId += 1;
    const id = this.#lastId;
    this.socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    return vi.waitFor(() => {
      const answer = this.messages.find((message) => Object(message).id === id);
      if (!answer) throw new Error(`no answer to ${method}`);
      return answer as RpcResponse;
    }, SOON);
  }

  /** Subscribes. Returns the subscription's id. */
  async subscribe(method: string, ...params: unknown[]): Promise<number> {
    const { result, error } = await this.call(method, params);
    if (error) throw new Error(error.message);
    return result as number;
  }

  /** Resolves when everything that the server had sent has arrived. */
  async untilCaughtUp(): Promise<void> {
    await this.call('anything');
  }

  /** Waits for this many messages and returns all of them. */
  received(count: number): Promise<unknown[]> {
    return vi.waitFor(() => {
      if (this.messages.length < count) throw new Error(`${this.messages.length} messages of ${count}`);
      return this.messages;
    }, SOON);
  }

  /** Sends `message` unchanged and returns the next message. */
  async sendRaw(message: string | Buffer): Promise<unknown> {
    const count = this.messages.length + 1;
    this.socket.send(message);
    return (await this.received(count))[count - 1];
  }
}
