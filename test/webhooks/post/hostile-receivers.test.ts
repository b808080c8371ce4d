/**
 * With any receiver, an attempt ends before its deadline, records the reason, and leaves no
 * connection open.
 */

import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Connections } from '../../../src/domain/messages/webhook/post/connections.ts';
import { CUT_OFF, postWebhook } from '../../../src/domain/messages/webhook/post/post-webhook.ts';
import { SOON } from '../../support/soon.ts';
import { newAuthority, newCertificate } from './certificates.ts';
import {
  answers,
  answersAndCloses,
  breaksAtOnce,
  breaksInTls,
  dribbles,
  floods,
  type HostileReceiver,
  neverReads,
  startHostile,
} from './hostile-receivers.ts';

/** Only ends a test that would hang: no outcome depends on the speed of the machine. */
const TIMEOUT_MS = 60_000;
/** For a receiver that never answers. */
const SHORT_MS = 250;
/** For a receiver that answers and never ends: the beginning must arrive before. */
const MEDIUM_MS = 1_000;
const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
const CHUNKED = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';
const LATE = `no answer within ${SHORT_MS / 1000} s`;
const NO_END = `answered 200, but did not end within ${MEDIUM_MS / 1000} s`;
const BROKEN = 'the connection was lost';
const INTERIM = 'answered with more than 16 interim responses (1xx)';

let connections: Connections;
let receiver: HostileReceiver;
beforeEach(() => {
  connections = new Connections();
});
afterEach(async () => {
  connections.close();
  await receiver.close();
});

/** A receiver that never ends its answer would hang the test without the deadline. */
function post({ scheme = 'http', body = '{}', timeoutMs = TIMEOUT_MS } = {}) {
  return postWebhook(connections, {
    url: `${scheme}://localhost:${receiver.port}/`,
    environment: 'TEST',
    headers: {},
    body,
    hostsAllowed: ['localhost'],
    timeoutMs,
  });
}

function timeoutOf(error: string | RegExp, statusCode: number | null = null): number {
  if (error === LATE) return SHORT_MS;
  return error === NO_END || statusCode === 500 ? MEDIUM_MS : TIMEOUT_MS;
}

const expectNoConnections = () => vi.waitFor(() => expect(receiver.open()).toBe(0), SOON);

const SWITCHES = 'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n';

it.each([
  ['switches protocols', answers(SWITCHES), 101, 'answered 101: other protocols are not supported'],
  ['switches protocols and continues to send', floods(SWITCHES, 'x'), 101, /^answered 101/],
  ['switches protocols and closes', answersAndCloses(SWITCHES, 'reset'), 101, /^answered 101/],
  ['switches after an interim answer', answers('HTTP/1.1 103 E\r\n\r\n', SWITCHES), 101, /^answered 101/],
  ['floods with 100', floods('', 'HTTP/1.1 100 Continue\r\n\r\n'), null, INTERIM],
  ['floods with 102', floods('', 'HTTP/1.1 102 Processing\r\n\r\n'), null, INTERIM],
  ['floods with 103', floods('', 'HTTP/1.1 103 E\r\nlink: </a>\r\n\r\n'), null, INTERIM],
  ['dribbles 103', dribbles('', 'HTTP/1.1 103 E\r\n\r\n'.repeat(5)), null, INTERIM],
  ['answers 17 times 102, and then 200', answers('HTTP/1.1 102 P\r\n\r\n'.repeat(17), OK), null, INTERIM],
  ['answers 100 and nothing else', answers('HTTP/1.1 100 Continue\r\n\r\n'), null, LATE],
  ['answers nothing', answers(), null, LATE],
  ['reads nothing', neverReads, null, LATE],
  ['closes before the request', breaksAtOnce, null, BROKEN],
  ['closes after the request', answersAndCloses('', 'end'), null, BROKEN],
  ['resets after the request', answersAndCloses('', 'reset'), null, BROKEN],
  ['dribbles its status line', dribbles('HTTP/1.1 200 ', 'O'), null, LATE],
  ['dribbles its headers', dribbles('HTTP/1.1 200 OK\r\nx: ', 'y'), null, LATE],
  ['floods with headers', floods('HTTP/1.1 200 OK\r\n', 'x: y\r\n'), null, /^the answer is not HTTP/],
  ['dribbles its body', dribbles('HTTP/1.1 200 OK\r\n\r\n', 'y'), 200, NO_END],
  [
    'dribbles a body of known length',
    dribbles('HTTP/1.1 200 OK\r\ncontent-length: 999\r\n\r\n', 'y'),
    200,
    NO_END,
  ],
  ['dribbles chunks', dribbles(CHUNKED, '1\r\ny\r\n'), 200, NO_END],
  ['dribbles the length of a chunk', dribbles(CHUNKED, '0'), 200, NO_END],
  [
    'floods with a body',
    floods('HTTP/1.1 200 OK\r\n\r\n', 'y'),
    200,
    'answered 200, but with more than 1 MB',
  ],
  ['floods with chunks', floods(CHUNKED, '1\r\ny\r\n'), 200, 'answered 200, but in more than 4096 pieces'],
  ['dribbles trailers', dribbles(`${CHUNKED}0\r\nx: `, 'y'), 200, NO_END],
  ['ends in the middle of trailers', answers(`${CHUNKED}0\r\nx: y\r\n`), 200, NO_END],
  ['fails with 500 and no end', answers('HTTP/1.1 500 No\r\n\r\n'), 500, 'answered 500'],
  [
    'names two lengths',
    answers('HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nok'),
    null,
    /^the answer is not HTTP/,
  ],
  [
    'names a length below zero',
    answers('HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\nok'),
    null,
    /^the answer is not HTTP/,
  ],
  ['has status 99', answers('HTTP/1.1 99 No\r\n\r\n'), null, /^the answer is not HTTP/],
] as const)('a receiver that %s', async (_, behave, statusCode, error) => {
  receiver = await startHostile(behave);
  const result = await post({ timeoutMs: timeoutOf(error, statusCode) });
  expect(result.statusCode).toBe(statusCode);
  expect(result.error).toMatch(error);
  expect(result.isTimedOut).toBe(result.error?.includes('within') || statusCode === 500);
  await expectNoConnections();
});

it.each([
  ['101 and no upgrade', 'HTTP/1.1 101 Go\r\n\r\n', 101],
  ['000', 'HTTP/1.1 000 No\r\ncontent-length: 0\r\n\r\n', 0],
  ['999', 'HTTP/1.1 999 No\r\ncontent-length: 0\r\n\r\n', 999],
])('status %s is a failure like any other', async (_, bytes, statusCode) => {
  receiver = await startHostile(answers(bytes));
  expect(await post()).toMatchObject({ statusCode, error: `answered ${statusCode}`, isTimedOut: false });
});

it.each([
  ['16 interim answers', 'HTTP/1.1 103 E\r\n\r\n'.repeat(16) + OK],
  ['trailers', `${CHUNKED}2\r\nok\r\n0\r\nx-sum: y\r\n\r\n`],
  [
    'an offer to upgrade',
    `HTTP/1.1 200 OK\r\nupgrade: h2c\r\nconnection: upgrade\r\ncontent-length: 2\r\n\r\nok`,
  ],
])('a receiver may answer with %s', async (_, bytes) => {
  receiver = await startHostile(answers(bytes));
  expect(await post()).toMatchObject({ statusCode: 200, error: null, responseBody: 'ok' });
});

it('a receiver that floods with trailers is not read to their end', async () => {
  receiver = await startHostile(floods(`${CHUNKED}2\r\nok\r\n0\r\n`, 'x: y\r\n'));
  expect(await post()).toMatchObject({ statusCode: 200, responseBody: 'ok' });
  await expectNoConnections();
});

it('an answer that arrives before the request has been read ends the attempt', async () => {
  receiver = await startHostile((socket) => socket.pause().write(OK));
  const result = await post({ body: 'x'.repeat(20_000_000), timeoutMs: MEDIUM_MS });
  expect(result.statusCode === 200 || result.isTimedOut).toBe(true);
  connections.close();
  await expectNoConnections();
});

it('a second answer on a kept connection is not read as the next one’s', async () => {
  receiver = await startHostile(answers(OK, 'HTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\n'));
  expect(await post()).toMatchObject({ statusCode: 200 });
  expect((await post()).statusCode).not.toBe(500);
});

describe('a connection that breaks after any byte of the answer', () => {
  const trailing = `HTTP/1.1 103 E\r\n\r\n${CHUNKED}2\r\nok\r\n0\r\nx: y\r\n\r\n`;
  it.each([
    ['end', OK],
    ['reset', OK],
    ['end', trailing],
    ['reset', trailing],
  ] as const)('with %s', async (how, answer) => {
    const bodyStart = answer.lastIndexOf('\r\n\r\n', answer.indexOf('ok')) + 4;
    for (let length = 0; length < answer.length; length++) {
      receiver = await startHostile(answersAndCloses(answer.slice(0, length), how));
      // A reset overtakes earlier data that the client has not read yet.
      const { statusCode, error } = await post();
      if (how === 'end') expect(statusCode).toBe(length < bodyStart ? null : 200);
      if (statusCode === null) expect(error).toMatch(/was lost|not HTTP/);
      else expect(error).toBeNull();
      await expectNoConnections();
      await receiver.close();
    }
  });
});

describe('a receiver over TLS that', () => {
  const authority = newAuthority('The authority of hostile receivers');
  const certified = newCertificate({ host: 'localhost', issuer: authority });
  beforeAll(() => setDefaultCACertificates([...getCACertificates('default'), authority.cert]));

  it.each([
    ['never reads the handshake', neverReads, LATE],
    ['reads the handshake and does not answer', answers(), LATE],
    ['dribbles a record', dribbles('\x16\x03\x03\x3f\xff', '\0'), LATE],
    ['resets at once', breaksAtOnce, BROKEN],
    ['resets after the first message', answersAndCloses('', 'reset'), BROKEN],
    ['closes after the first message', answersAndCloses('', 'end'), BROKEN],
    ['answers without TLS', answers(OK), /^TLS: /],
    ['answers with an alert', answers('\x15\x03\x03\0\x02\x02\x28'), /^TLS: /],
  ] as const)('%s', async (_, behave, expectedError) => {
    receiver = await startHostile(behave);
    const { statusCode, error } = await post({ scheme: 'https', timeoutMs: timeoutOf(expectedError) });
    expect(statusCode).toBeNull();
    expect(error).toMatch(expectedError);
    await expectNoConnections();
  });

  it.each(['end', 'reset'] as const)(
    'breaks off with %s, anywhere in the handshake and the answer',
    async (how) => {
      for (const afterBytes of [1, 4, 5, 6, 50, 100, 127, 128, 300, 600, 900, 1200, 1500, 2000, 1_000_000]) {
        receiver = await startHostile(breaksInTls(certified, afterBytes, how));
        const { statusCode, error } = await post({ scheme: 'https' });
        if (statusCode === null) expect(error).toMatch(/was lost|^TLS/);
        else expect([statusCode, error]).toEqual([200, null]);
        await expectNoConnections();
        await receiver.close();
      }
    },
  );
});

it('a sender that stops aborts every attempt at once, in any state', async () => {
  const states = [
    answers(),
    neverReads,
    dribbles('HTTP/1.1 200 OK\r\nx: ', 'y'),
    answers('HTTP/1.1 100 C\r\n\r\n'),
  ];
  for (const behave of states) {
    for (const scheme of ['http', 'https']) {
      let arrived = (): void => undefined;
      const hasArrived = new Promise<void>((resolve) => {
        arrived = resolve;
      });
      receiver = await startHostile((socket) => {
        behave(socket);
        arrived();
      });
      connections = new Connections();
      const posted = post({ scheme });
      await hasArrived;
      connections.close();
      expect(await posted).toMatchObject({ statusCode: null, error: CUT_OFF });
      await expectNoConnections();
      await receiver.close();
    }
  }
});
