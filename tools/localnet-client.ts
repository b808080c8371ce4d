import { Agent, request } from 'node:http';

/** A JSON-RPC client with a fixed maximum of keep-alive connections. */
export class LocalnetClient {
  readonly #agent: Agent;
  readonly #url: string;

  constructor(url: string, connections: number) {
    this.#url = url;
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
  }

  async call<T>(method: string, params: unknown[]): Promise<T> {
    const response = JSON.parse(await this.raw(method, params)) as { result: T; error?: { message: string } };
    if (response.error) throw new Error(`${method}: ${response.error.message}`);
    return response.result;
  }

  /** Returns the body of the response. */
  raw(method: string, params: unknown[]): Promise<string> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    return new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
      const call = request(this.#url, { method: 'POST', agent: this.#agent, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => resolve(Buffer.concat(chunks).toString()));
        response.on('error', reject);
      });
      call.on('error', reject);
      call.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
