import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, BlockList, connect, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, expect, it, vi } from 'vitest';
import type { WebSocket } from 'ws';
import { Admission, type AdmissionOptions } from '../../src/api/admission/admission.ts';
import { MAX_UNANSWERED } from '../../src/api/admission/connection-requests.ts';
import { MAX_PIECES } from '../../src/api/admission/request-body.ts';
import {
  MAX_BACKLOG,
  MAX_UNREAD,
  PendingBytes,
  SocketOperations,
} from '../../src/api/graphql/transport/socket-operations.ts';
import { OTHER_REQUESTS } from '../../src/api/rate-limit/rate-limit.ts';
import type { RateLimits } from '../../src/api/rate-limit/rate-limits.ts';
import { answerUnparsable } from '../../src/api/server/unreadable-requests.ts';
import { shareResult } from '../../src/async/share-result.ts';
import { SOON } from '../support/soon.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** No caller is known to be over a limit. */
const LIMITS = { recall: () => undefined, policyOf: () => OTHER_REQUESTS } as unknown as RateLimits;

type Answer = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

async function startAdmission(options: Partial<AdmissionOptions>, answer: Answer) {
  const proxies = new BlockList();
  proxies.addAddress('127.0.0.1');
  const admission = new Admission(LIMITS, proxies, options);
  const server = createServer((incoming, outgoing) =>
    admission.admit(incoming, outgoing, () => answer(incoming, outgoing)),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => server.close().closeAllConnections());
  const open = () => {
    const socket: Socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.on('error', () => undefined);
    closing.push(() => socket.destroy());
    return socket;
  };
  return { admission, server, open };
}

/** What a connection receives until it is closed, or reset because its last bytes were not read. */
const received = (socket: Socket) => text(socket).catch(() => '');

const GET = 'GET /x HTTP/1.1\r\nHost: x\r\n\r\n';

it('closes a connection that exceeds the open requests of the process', async () => {
  const responses: ServerResponse[] = [];
  const { admission, open } = await startAdmission(
    { maxOpenRequests: 2 },
    (_, outgoing) => void responses.push(outgoing),
  );
  const first = open();
  first.write(GET.repeat(2));
  await vi.waitFor(() => expect(admission.openRequests).toBe(2), SOON);
  const second = open();
  second.write(GET);
  expect(await received(second)).toBe('');
  expect(first.destroyed).toBe(false);
  for (let answered = 0; answered < 2; answered++) {
    await vi.waitFor(() => expect(responses).toHaveLength(answered + 1), SOON);
    responses[answered]?.end('done');
  }
  await vi.waitFor(() => expect(admission.openRequests).toBe(0), SOON);
  const third = open();
  third.write(GET);
  await vi.waitFor(() => expect(responses).toHaveLength(3), SOON);
});

const getFrom = (address: string, moreHeaders = '') =>
  `GET /x HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${address}\r\n${moreHeaders}\r\n`;

it('limits the open requests of one caller, and closes no other', async () => {
  const answers: string[] = [];
  const { admission, open } = await startAdmission(
    { maxOpenRequests: 100, maxOpenRequestsPerCaller: 3 },
    (incoming) => {
      answers.push(String(incoming.headers['x-forwarded-for']));
    },
  );
  const flooder = open();
  flooder.write(getFrom('203.0.113.1').repeat(3));
  await vi.waitFor(() => expect(admission.openRequests).toBe(3), SOON);
  const beyond = open();
  beyond.write(getFrom('203.0.113.1'));
  const other = open();
  other.write(getFrom('203.0.113.2'));
  expect(await received(beyond)).toBe('');
  await vi.waitFor(() => expect(answers).toEqual(['203.0.113.1', '203.0.113.2']), SOON);
  flooder.destroy();
  await vi.waitFor(() => expect(admission.openRequests).toBe(1), SOON);
});

it('a caller with few requests replaces the newest of the one with the most', async () => {
  const answers: string[] = [];
  const { admission, open } = await startAdmission({ maxOpenRequests: 8 }, (incoming) => {
    answers.push(String(incoming.headers['x-forwarded-for']));
  });
  const flooders = Array.from({ length: 6 }, open);
  for (const [index, flooder] of flooders.entries()) {
    flooder.write(getFrom('203.0.113.1'));
    await vi.waitFor(() => expect(admission.openRequests).toBe(index + 1), SOON);
  }
  const other = open();
  other.write(getFrom('203.0.113.2'));
  await vi.waitFor(() => expect(answers).toContain('203.0.113.2'), SOON);
  expect(admission.openRequests).toBe(6);
  expect(await received(flooders[5] as Socket)).toBe('');
  const another = open();
  another.write(getFrom('203.0.113.1'));
  expect(await received(another)).toBe('');
  expect(other.destroyed).toBe(false);
});

it('answers the requests of a connection in order, one at a time', async () => {
  const responses: ServerResponse[] = [];
  const { open } = await startAdmission({}, (_, outgoing) => void responses.push(outgoing));
  const socket = open();
  socket.write(GET.repeat(MAX_UNANSWERED));
  const answers = received(socket);
  for (let answered = 1; answered <= MAX_UNANSWERED; answered++) {
    await vi.waitFor(() => expect(responses).toHaveLength(answered), SOON);
    responses[answered - 1]?.end(`<${answered}>`);
  }
  socket.end();
  const numbers = Array.from({ length: MAX_UNANSWERED }, (_, index) => `<${index + 1}>`);
  expect((await answers).match(/<\d+>/g)).toEqual(numbers);
});

it('closes a connection with very many unanswered requests, which end', async () => {
  let begun = 0;
  const { admission, open } = await startAdmission({}, () => {
    begun += 1;
  });
  const socket = open();
  socket.write(GET.repeat(100 * MAX_UNANSWERED));
  expect(await received(socket)).toBe('');
  await vi.waitFor(() => expect(admission.openRequests).toBe(0), SOON);
  expect(begun).toBe(1);
});

const post = (address: string) =>
  `POST /x HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${address}\r\nTransfer-Encoding: chunked\r\n\r\n`;
const PIECE = '1\r\nx\r\n';

/** Answers with the length of the body after it was read. */
const answerLength: Answer = async (incoming, outgoing) => {
  const body = await text(incoming).catch(() => undefined);
  if (body !== undefined) outgoing.end(`read ${body.length}`);
};

it('a body in very many chunks is not read to its end', async () => {
  const { admission, open } = await startAdmission({}, answerLength);
  const few = open();
  few.write(`${post('203.0.113.1')}${PIECE.repeat(MAX_PIECES)}0\r\n\r\n`);
  expect(String(await once(few, 'data'))).toContain(`read ${MAX_PIECES}`);
  const many = open();
  many.write(`${post('203.0.113.1')}${PIECE.repeat(10 * MAX_PIECES)}0\r\n\r\n`);
  expect(await received(many)).toBe('');
  await vi.waitFor(() => expect(admission.bodyBytes).toBe(0), SOON);
});

it('drops a body of the caller with the most bytes at the maximum', async () => {
  const { admission, open } = await startAdmission({ maxBodyBytes: 100_000 }, answerLength);
  const body = (address: string, bytes: number) => {
    const socket = open();
    socket.write(`${post(address)}${bytes.toString(16)}\r\n${'x'.repeat(bytes)}\r\n`);
    return socket;
  };
  const small = body('203.0.113.1', 30_000);
  await vi.waitFor(() => expect(admission.bodyBytes).toBeGreaterThan(30_000), SOON);
  const large = [body('203.0.113.2', 34_000), body('203.0.113.2', 36_000)];
  expect(await received(large[1] as Socket)).toBe('');
  await vi.waitFor(() => expect(admission.bodyBytes).toBeLessThan(70_000), SOON);
  for (const socket of [small, large[0] as Socket]) {
    socket.write('0\r\n\r\n');
    expect(String(await once(socket, 'data'))).toMatch(/read 3[04]000/);
  }
  await vi.waitFor(() => expect(admission.bodyBytes).toBe(0), SOON);
});

it('drops bodies of strangers before those of merchants', async () => {
  const { admission, open } = await startAdmission({ maxBodyBytes: 100_000 }, answerLength);
  const none = { cookie: undefined, origin: undefined, fetchSite: undefined, environment: undefined };
  const key = { ...none, method: 'POST', authorization: 'Bearer sk_test_1' };
  admission.knownCallers.note(key, 'merchant/TEST');
  const begin = (head: string, bytes: number) => {
    const socket = open();
    socket.write(`${head}${bytes.toString(16)}\r\n${'x'.repeat(bytes)}\r\n`);
    return socket;
  };
  const stranger = begin(post('203.0.113.1'), 20_000);
  await vi.waitFor(() => expect(admission.bodyBytes).toBeGreaterThan(20_000), SOON);
  const merchant = begin(
    post('203.0.113.2').replace('Host', 'Authorization: Bearer sk_test_1\r\nHost'),
    85_000,
  );
  expect(await received(stranger)).toBe('');
  merchant.write('0\r\n\r\n');
  expect(String(await once(merchant, 'data'))).toContain('read 85000');
});

it('admits known keys and probes while strangers use all their capacity', async () => {
  const answers: string[] = [];
  const { admission, open } = await startAdmission({ maxOpenRequests: 8 }, (incoming) => {
    answers.push(incoming.url ?? '');
  });
  const key = { cookie: undefined, origin: undefined, fetchSite: undefined, environment: undefined };
  admission.knownCallers.note({ ...key, method: 'GET', authorization: 'Bearer  sk_test_1' }, 'merchant/TEST');
  for (let host = 1; host <= 6; host++) open().write(getFrom(`203.0.113.${host}`));
  await vi.waitFor(() => expect(admission.openRequests).toBe(6), SOON);
  const stranger = open();
  stranger.write(getFrom('203.0.113.7'));
  expect(await received(stranger)).toBe('');
  open().write(getFrom('203.0.113.8', 'Authorization: bearer sk_test_1\r\n'));
  await vi.waitFor(() => expect(admission.openRequests).toBe(7), SOON);
  open().write('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n');
  await vi.waitFor(() => expect(answers).toContain('/health/live'), SOON);
});

it('drops an unread answer if there is no more room for such answers', async () => {
  const answer = Buffer.alloc(20_000_000);
  const { server, open } = await startAdmission({ maxUnreadBytes: 30_000_000 }, (_, outgoing) =>
    outgoing.end(answer),
  );
  const connections = () => new Promise((resolve) => server.getConnections((_, count) => resolve(count)));
  const first = open();
  first.pause().write(GET);
  await once(server, 'request');
  const second = open();
  second.pause().write(GET);
  await once(server, 'request');
  await vi.waitFor(async () => expect(await connections()).toBe(1), SOON);
  // The first answer still has its space, and releases the space when it is read.
  let received = 0;
  first.on('data', (data) => {
    received += data.length;
  });
  first.resume();
  await vi.waitFor(() => expect(received).toBeGreaterThan(answer.length), 10_000);
  const third = open();
  third.write(GET);
  const [head] = await once(third, 'data');
  expect(String(head)).toContain('200 OK');
});

/** Creates the operations of a socket that is not connected. */
function createOperations(pendingBytes: PendingBytes) {
  const closes: number[] = [];
  const socket = Object.assign(new PassThrough(), {
    OPEN: 1,
    readyState: 1,
    close: (code: number) => void closes.push(code),
    terminate: () => undefined,
  });
  const operations = new SocketOperations(socket as unknown as WebSocket, '192.0.2.1', pendingBytes);
  const receive = (bytes: number) => {
    socket.emit('message', Buffer.alloc(bytes));
    return operations.begin();
  };
  return { socket: socket.resume(), closes, receive };
}

it('stops reading a socket with too many operations without a first result', () => {
  const { socket, receive } = createOperations(new PendingBytes());
  const ends = Array.from({ length: MAX_UNREAD - 1 }, () => receive(10));
  expect(socket.isPaused()).toBe(false);
  const last = receive(10);
  expect(socket.isPaused()).toBe(true);
  ends[0]?.();
  expect(socket.isPaused()).toBe(false);
  last();
});

it('closes a socket that has sent very many operations without a first result', () => {
  const { closes, receive } = createOperations(new PendingBytes());
  for (let sent = 0; sent < MAX_BACKLOG; sent++) receive(10);
  expect(closes).toEqual([]);
  receive(10);
  expect(closes).toEqual([4429]);
});

it('stops reading sockets while all operations together hold too many bytes', () => {
  const pendingBytes = new PendingBytes(1_000);
  const [a, b] = [createOperations(pendingBytes), createOperations(pendingBytes)];
  const end = a.receive(900);
  expect(a.socket.isPaused()).toBe(false);
  const lateBytes = b.receive(200);
  expect(b.socket.isPaused()).toBe(true);
  end();
  lateBytes();
  expect(b.socket.isPaused()).toBe(false);
  expect(pendingBytes.bytes).toBe(0);
});

it('one read is shared by all callers for a limited time', async () => {
  let reads = 0;
  const read = shareResult(async () => ++reads, 200);
  const results = await Promise.all(Array.from({ length: 100 }, read));
  expect(new Set(results)).toEqual(new Set([1]));
  await vi.waitFor(async () => expect(await read()).toBe(2), SOON);
});

it('a slow read is shared until its end', async () => {
  const ends: (() => void)[] = [];
  const read = shareResult(() => new Promise<void>((resolve) => ends.push(resolve)), 0);
  const results = [read(), read(), read()];
  expect(ends).toHaveLength(1);
  ends[0]?.();
  await Promise.all(results);
  void read();
  expect(ends).toHaveLength(2);
});

it('closes a silent connection without a response, and answers half a request', async () => {
  const server = createServer({ headersTimeout: 100, requestTimeout: 100, connectionsCheckingInterval: 20 });
  const allowed = { policy: OTHER_REQUESTS, allowed: true, remaining: 999, resetAt: 0, resetInMs: 0 };
  answerUnparsable(server, { ...LIMITS, take: async () => allowed } as unknown as RateLimits);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo;
  const [silent, half] = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')];
  half.write('GET / HTTP/1.1\r\nHost:');

  expect(await text(silent)).toBe('');
  expect(await text(half)).toMatch(/^HTTP\/1\.1 400 .*did not arrive completely in time/s);
});
