import { setTimeout as wait } from 'node:timers/promises';
import { Connection, encodeRequest, type WireRequest } from '../lib/http-load.ts';

/** Sends requests at equal intervals within a time, whether or not they are answered. */
export async function askAtIntervals(
  url: string,
  requests: readonly WireRequest[],
  seconds: number,
): Promise<void> {
  const asked = requests.map(async (request, index) => {
    await wait((index * seconds * 1_000) / requests.length);
    await askOnce(url, request);
  });
  await Promise.all(asked);
}

/** Sends a request on its own connection. Ignores the answer, and errors. */
export async function askOnce(url: string, request: WireRequest): Promise<void> {
  const connection = new Connection(url);
  await connection.ask(request).catch(() => undefined);
  connection.close();
}

/** A request without a key. */
export function postJson(path: string, body: object): WireRequest {
  return encodeRequest('POST', path, { 'content-type': 'application/json' }, JSON.stringify(body));
}
