import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Address } from '@solana/kit';
import { encodeBase58 } from '../src/base58/base58.ts';

// What a stranger can put on a cluster and the local network cannot hold many times: accounts of
// 10 MB, and a transaction with the largest inner instructions. The node shows them in place of
// small ones.

/** An account with this owner has 10 MB. A read of more than a part of it never ends. */
export const ENDLESS_OWNER = 'StrangerEnd1ess1111111111111111111111111111' as Address;
/** An account with this owner has 10 MB, and the node sends all of them. */
export const LARGE_OWNER = 'StrangerLarge111111111111111111111111111111' as Address;
/** A transaction that names this address has 63 inner instructions with 10 KiB of data each. */
export const INNER_CALLS = 'StrangerCaLLs111111111111111111111111111111' as Address;

/** Maximum size of an account. */
const LARGE_BYTES = 10 * 2 ** 20;
/** Maximum bytes of a 10 MB account that the node sends at once. */
const MAX_PART_BYTES = 65_536;
/** Maximum instructions of a transaction, less the one that calls the others. */
const MAX_INNER = 63;
/** Maximum bytes that a program may pass to another one. */
const MAX_INNER_BYTES = 10_240;
export const MEMO_PROGRAM = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr';
const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';

interface UiAccount {
  data: [string, string];
  readonly owner: string;
  space: number;
}

interface UiTransaction {
  readonly transaction: { readonly message: { readonly accountKeys: string[] } };
  readonly meta: { innerInstructions: unknown };
}

interface Call {
  readonly method: string;
  readonly params: readonly [unknown, { readonly dataSlice?: DataSlice }?];
}

interface DataSlice {
  readonly offset: number;
  readonly length: number;
}

/**
 * Starts a proxy in front of a node of the local network, through which strangers' accounts and
 * transactions have the size that a cluster allows. Other answers, and faults, pass unchanged.
 */
export async function startStrangerNode(
  rpcUrl: string,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const agent = new Agent({ keepAlive: true });
  const server = createServer((incoming, outgoing) => {
    forward(rpcUrl, agent, incoming, outgoing).catch(() => outgoing.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      agent.destroy();
      server.close();
      server.closeAllConnections();
    },
  };
}

async function forward(
  rpcUrl: string,
  agent: Agent,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const body = await text(incoming);
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  const upstream = request(new URL(incoming.url ?? '/', rpcUrl), { method: 'POST', agent, headers });
  outgoing.once('close', () => upstream.destroy());
  upstream.end(body);
  const [answer] = (await once(upstream, 'response')) as [IncomingMessage];
  const received = await text(answer);
  const sent = replaceStrangers(body, received);
  outgoing.writeHead(answer.statusCode ?? 502, {
    ...answer.headers,
    'content-length': Buffer.byteLength(sent.text),
  });
  if (sent.isEndless) outgoing.write(sent.text.slice(0, MAX_PART_BYTES));
  else outgoing.end(sent.text);
}

/** An answer of the node, as the proxy sends it. */
interface Sent {
  readonly text: string;
  readonly isEndless: boolean;
}

function replaceStrangers(body: string, received: string): Sent {
  const names = (address: Address) => received.includes(address);
  const hasInner = names(INNER_CALLS);
  if (!hasInner && !names(ENDLESS_OWNER) && !names(LARGE_OWNER)) return { text: received, isEndless: false };
  const { method, params } = JSON.parse(body) as Call;
  const answer = JSON.parse(received);
  if (method === 'getTransaction' && answer.result) addInnerCalls(answer.result);
  const isRead = method === 'getMultipleAccounts' || method === 'getAccountInfo';
  if (!isRead || !answer.result) return { text: JSON.stringify(answer), isEndless: false };
  const { dataSlice } = params[1] ?? {};
  const partBytes = Math.max(
    0,
    Math.min(dataSlice?.length ?? LARGE_BYTES, LARGE_BYTES - (dataSlice?.offset ?? 0)),
  );
  const accounts = [answer.result.value].flat() as (UiAccount | null)[];
  let isEndless = false;
  for (const account of accounts) {
    if (account?.owner !== ENDLESS_OWNER && account?.owner !== LARGE_OWNER) continue;
    isEndless ||= account.owner === ENDLESS_OWNER && partBytes > MAX_PART_BYTES;
    enlarge(account, partBytes);
  }
  return { text: JSON.stringify(answer), isEndless };
}

function enlarge(account: UiAccount, partBytes: number): void {
  const data = Buffer.alloc(partBytes).toString('base64');
  Object.assign(account, { data: [data, 'base64'], space: LARGE_BYTES, rentEpoch: 0 });
}

/** Adds calls of a stranger's program, of the memo program and of the token program in turn. */
function addInnerCalls({ transaction, meta }: UiTransaction): void {
  const keys = transaction.message.accountKeys;
  const programs = [INNER_CALLS, MEMO_PROGRAM, TOKEN_PROGRAM].map((program) => keys.indexOf(program));
  const instructions = Array.from({ length: MAX_INNER }, (_, index) => ({
    programIdIndex: programs[index % programs.length],
    accounts: [],
    data: innerData(),
    stackHeight: 2,
  }));
  meta.innerInstructions = [{ index: 0, instructions }];
}

let encoded: string | undefined;

/** The largest data of an inner instruction, in base 58. Encoding takes quadratic time. */
function innerData(): string {
  encoded ??= encodeBase58(Buffer.alloc(MAX_INNER_BYTES, 'a'));
  return encoded;
}
