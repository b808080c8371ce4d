import { expect, test } from 'vitest';
import { OutgoingQueue } from '../../../localnet/geyser/outgoing-queue.ts';

const bytes = (...values: number[]) => values.map((value) => Uint8Array.of(value));

/** A writer that accepts `room` messages and then none until there is room again. */
function writer() {
  const written: number[] = [];
  const state = { room: 0, written };
  const write = (message: Uint8Array) => {
    written.push(message[0] as number);
    state.room -= 1;
    return state.room > 0;
  };
  return { state, write };
}

test('messages wait for space and keep their order', () => {
  const { state, write } = writer();
  state.room = 2;
  const queue = new OutgoingQueue(write, 10);
  for (const message of bytes(1, 2, 3, 4)) expect(queue.push(message)).toBe(true);
  expect(state.written).toEqual([1, 2]);
  state.room = 9;
  queue.resume();
  expect(queue.push(Uint8Array.of(5))).toBe(true);
  expect(state.written).toEqual([1, 2, 3, 4, 5]);
});

test('live messages beyond the limit are refused until some are sent', () => {
  const { state, write } = writer();
  state.room = 1;
  const queue = new OutgoingQueue(write, 2);
  expect(bytes(1, 2, 3, 4).map((message) => queue.push(message))).toEqual([true, true, true, false]);
  state.room = 1;
  queue.resume();
  expect(queue.push(Uint8Array.of(5))).toBe(true);
  expect(state.written).toEqual([1, 2]);
});

test('a replay is sent before later messages, as it is read, and outside the limit', () => {
  const { state, write } = writer();
  state.room = 1;
  let produced = 0;
  function* replay() {
    for (const message of bytes(10, 11, 12, 13)) {
      produced += 1;
      yield message;
    }
  }
  const queue = new OutgoingQueue(write, 1);
  queue.push(Uint8Array.of(1));
  queue.pushLazily(replay());
  expect(produced).toBe(0);
  expect(queue.push(Uint8Array.of(2))).toBe(true);
  state.room = 2;
  queue.resume();
  expect(produced).toBe(2);
  state.room = 9;
  queue.resume();
  expect(state.written).toEqual([1, 10, 11, 12, 13, 2]);
});

test('loses no message among many thousands', () => {
  const { state, write } = writer();
  const queue = new OutgoingQueue(write, 100_000);
  queue.push(Uint8Array.of(0));
  for (let n = 1; n < 10_000; n += 1) queue.push(Uint8Array.of(n % 251));
  while (state.written.length < 10_000) {
    state.room = 777;
    queue.resume();
    queue.push(Uint8Array.of(99));
  }
  expect(state.written.slice(0, 10_000)).toEqual(Array.from({ length: 10_000 }, (_, n) => n % 251));
});

test('a cleared message is never written', () => {
  const { state, write } = writer();
  state.room = 1;
  const queue = new OutgoingQueue(write, 10);
  for (const message of bytes(1, 2, 3)) queue.push(message);
  queue.clear();
  state.room = 9;
  queue.resume();
  expect(state.written).toEqual([1]);
});
