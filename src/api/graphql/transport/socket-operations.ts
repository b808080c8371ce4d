import type { WebSocket } from 'ws';
import { networkOf } from '../../access/caller-address.ts';
import type { CallerTrust } from '../../access/caller-trust.ts';
import type { Admission } from '../../admission/admission.ts';
import type { Leave } from '../../admission/lane.ts';

/** Maximum operations, live and other, that may run on one socket at once. */
export const MAX_OPERATIONS = 100;
/** Maximum operations of one socket that have arrived and have no first result yet. */
export const MAX_UNREAD = 8;
/**
 * Maximum operations without a first result at which a socket is closed. A read may contain more
 * operations than `MAX_UNREAD` before the socket is paused.
 */
export const MAX_BACKLOG = 200;
/** Maximum bytes of pending operations of all sockets. */
const MAX_BYTES = 33_554_432;
/**
 * Maximum messages of one socket, other than operations, at once. After that the rate per second
 * below applies.
 */
export const OTHER_MESSAGES = 300;
const OTHER_MESSAGES_PER_SECOND = 20;
/** A refused operation costs as much as some other messages. */
const REFUSED_COSTS = 3;

/** Close code of a socket that sends too many messages. */
export const TOO_MANY_CODE = 4429;
const TOO_MANY_MESSAGES = 'Too many messages.';
/** Time that a flooding client has to read the reason for the close. */
const READ_REASON_MS = 1_000;

/** Bytes of the pending operations of all sockets of a server. */
export class PendingBytes {
  readonly max: number;
  bytes = 0;

  constructor(max = MAX_BYTES) {
    this.max = max;
  }
}

/**
 * The pending operations of one socket. Above a limit the socket is not read until some are done.
 */
export class SocketOperations {
  readonly #socket: WebSocket;
  readonly #all: PendingBytes;
  readonly #open = new Set<string>();
  #limitKey: string;
  #trust: CallerTrust = 'stranger';
  #unread = 0;
  #isStopped = false;
  #messageBytes = 0;
  #otherMessages = OTHER_MESSAGES;
  #filledAt = performance.now();

  constructor(socket: WebSocket, address: string, all: PendingBytes) {
    this.#socket = socket;
    this.#all = all;
    this.#limitKey = networkOf(address);
    // This listener must be registered before all others.
    socket.on('message', (data: Buffer) => {
      this.#messageBytes = data.length;
      this.#takeMessage();
    });
    const takeMessage = () => this.#takeMessage();
    socket.on('ping', takeMessage).on('pong', takeMessage);
  }

  /** The rate-limit key of the operations: the network address until the caller is identified. */
  get limitKey(): string {
    return this.#limitKey;
  }

  get trust(): CallerTrust {
    return this.#trust;
  }

  /** Sets the trust level before the credentials are verified. */
  setTrust(trust: CallerTrust): void {
    this.#trust = trust;
  }

  setCaller(limitKey: string, isProven: boolean): void {
    this.#limitKey = limitKey;
    this.#trust = isProven ? 'proven' : 'stranger';
  }

  /**
   * Registers the message that has just arrived as an operation. Returns a function that must be
   * called when the operation has its first result or is refused.
   */
  begin(): () => void {
    const bytes = this.#messageBytes;
    this.#otherMessages += 1;
    this.#unread += 1;
    this.#all.bytes += bytes;
    if (this.#unread > MAX_BACKLOG) this.#end();
    if (!this.#isStopped && (this.#unread >= MAX_UNREAD || this.#all.bytes > this.#all.max)) {
      this.#isStopped = true;
      this.#socket.pause();
    }
    let isBegun = true;
    return () => {
      if (!isBegun) return;
      isBegun = false;
      this.#unread -= 1;
      this.#all.bytes -= bytes;
      if (!this.#isStopped || this.#unread >= MAX_UNREAD) return;
      // Above the limit for all sockets, a socket resumes only when it has no pending operation
      // itself.
      if (this.#all.bytes > this.#all.max && this.#unread > 0) return;
      this.#isStopped = false;
      this.#socket.resume();
    };
  }

  /**
   * Opens an operation. Returns false if too many are running.
   *
   * @param running operations that the client has not ended, by id. Others are forgotten at the
   *   limit
   */
  open(id: string, running: object): boolean {
    if (this.#open.size >= MAX_OPERATIONS) {
      for (const openId of this.#open) if (!(openId in running)) this.#open.delete(openId);
    }
    if (this.#open.size >= MAX_OPERATIONS) return false;
    this.#open.add(id);
    return true;
  }

  forget(id: string): void {
    this.#open.delete(id);
  }

  /** Waits for admission; undefined if too many operations wait. */
  waitForAdmission({ lanes }: Pick<Admission, 'lanes'>): Promise<Leave | undefined> {
    return new Promise((resolve) => {
      const drop = () => resolve(undefined);
      if (!lanes[this.#trust].enter(this.#limitKey, resolve, drop)) drop();
    });
  }

  /** Counts an operation that was refused at once. */
  refused(): void {
    this.#takeMessage(REFUSED_COSTS);
  }

  #takeMessage(cost = 1): void {
    const now = performance.now();
    const filled = this.#otherMessages + ((now - this.#filledAt) / 1_000) * OTHER_MESSAGES_PER_SECOND;
    this.#otherMessages = Math.min(OTHER_MESSAGES, filled) - cost;
    this.#filledAt = now;
    if (this.#otherMessages < 0) this.#end();
  }

  #end(): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    this.#socket.pause();
    // The rest of the last read is not handled.
    this.#socket.removeAllListeners('message');
    this.#socket.close(TOO_MANY_CODE, TOO_MANY_MESSAGES);
    setTimeout(() => this.#socket.terminate(), READ_REASON_MS).unref();
  }
}
