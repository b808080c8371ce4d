import { once } from 'node:events';
import { createServer } from 'node:http';
import { createKeyPairFromBytes, signBytes } from '@solana/kit';

/** A signer with a collector's key. It implements the protocol of docs/operations.md over HTTP. */
export interface Signer {
  readonly url: string;
  /** The Authorization headers of the received requests. */
  readonly authorizations: (string | undefined)[];
  /** Whether it signs other bytes than the requested ones. */
  signsOtherBytes: boolean;
  /** Whether it answers every request with 503. */
  isDown: boolean;
  close(): Promise<void>;
}

export async function startSigner(key: Uint8Array, address: string, token: string): Promise<Signer> {
  const { privateKey } = await createKeyPairFromBytes(key);
  const signer = { authorizations: [] as (string | undefined)[], signsOtherBytes: false, isDown: false };
  const server = createServer(async (request, response) => {
    const { authorization } = request.headers;
    signer.authorizations.push(authorization);
    if (signer.isDown) return response.writeHead(503).end();
    if (authorization !== `Bearer ${token}`) return response.writeHead(401).end();
    if (request.method === 'GET') return response.end(JSON.stringify({ address }));
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { messages } = JSON.parse(Buffer.concat(chunks).toString()) as { messages: string[] };
    const signatures = messages.map(async (message) => {
      const bytes = signer.signsOtherBytes ? Buffer.from('something else') : Buffer.from(message, 'base64');
      return Buffer.from(await signBytes(privateKey, Uint8Array.from(bytes))).toString('base64');
    });
    response.end(JSON.stringify({ signatures: await Promise.all(signatures) }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return Object.assign(signer, {
    url: `http://127.0.0.1:${port}/collector`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  });
}
