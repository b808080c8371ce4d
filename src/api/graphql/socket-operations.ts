import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import { networkOf } from '../access/caller-address.ts';
import type { CallerTrust } from '../access/caller-trust.ts';
import type { Admission } from '../admission/admission.ts';
import { Intake } from '../admission/intake.ts';
import type { Leave } from '../admission/lane.ts';

/** Maximum operations, live and other, that may run on one socket at once. */
export const MAX_OPERATIONS = 100;
/** Maximum operations of one socket that have arrived and have no first result yet. */
export const MAX_UNREAD = 8;
/** Maximum bytes of pending operations of all sockets. */
const MAX_BYTES = 33_554_432;
/**
 * Messages of one socket that are not operations: this many at once, then the rate per second
 * below.
 */
export const OTHER_MESSAGES = 300;
const OTHER_MESSAGES_PER_SECOND = 20;

/** Close code of a socket that sends too many messages. */
export const TOO_MANY_CODE = 4429;
const TOO_MANY_MESSAGES = 'Too many messages.';
/** How long a flooding client has to read the reason. */
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
  readonly #intake: Intake;
  readonly #all: PendingBytes;
  readonly #open = new Set<string>();
  #against: string;
  #trust: CallerTrust = 'stranger';
  #unread = 0;
  #isStopped = false;
  #messageBytes = 0;
  #otherMessages = OTHER_MESSAGES;
  #filledAt = performance.now();

  constructor(socket: WebSocket, connection: Socket, address: string, all: PendingBytes) {
    this.#socket = socket;
    this.#intake = Intake.of(connection);
    this.#intake.becomesWebSocket();
    this.#all = all;
    this.#against = networkOf(address);
    // This listener must be registered before all others.
    socket.on('message', (data: Buffer) => {
      this.#messageBytes = data.length;
      this.#takeMessage();
    });
    socket.on('ping', () => this.#takeMessage()).on('pong', () => this.#takeMessage());
  }

  /** The rate-limit key of the operations, as far as it is known. */
  get against(): string {
    return this.#against;
  }

  get trust(): CallerTrust {
    return this.#trust;
  }

  /** Sets the trust level before the credentials are verified. */
  setTrust(trust: CallerTrust): void {
    this.#trust = trust;
  }

  identified(against: string, isProven: boolean): void {
    this.#against = against;
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
    if (!this.#isStopped && (this.#unread >= MAX_UNREAD || this.#all.bytes > this.#all.max)) {
      this.#isStopped = true;
      this.#intake.stop();
    }
    let isBegun = true;
    return () => {
      if (!isBegun) return;
      isBegun = false;
      this.#unread -= 1;
      this.#all.bytes -= bytes;
      if (!this.#isStopped || this.#unread >= MAX_UNREAD) return;
      // At the common limit a socket resumes only when none of its own operations is pending.
      if (this.#all.bytes > this.#all.max && this.#unread > 0) return;
      this.#isStopped = false;
      this.#intake.go();
    };
  }

  /**
   * Opens an operation; false if too many are running.
   *
   * @param running ids that the client has not ended; others may not have finished here yet
   */
  open(id: string, running: object): boolean {
    if (this.#open.size >= MAX_OPERATIONS) {
      for (const each of this.#open) if (!(each in running)) this.#open.delete(each);
    }
    if (this.#open.size >= MAX_OPERATIONS) return false;
    this.#open.add(id);
    return true;
  }

  closed(id: string): void {
    this.#open.delete(id);
  }

  /** Waits for admission; undefined if too many operations wait. */
  place({ lanes }: Pick<Admission, 'lanes'>): Promise<Leave | undefined> {
    return new Promise((resolve) => {
      const drop = () => resolve(undefined);
      if (!lanes[this.#trust].enter(this.#against, resolve, drop)) drop();
    });
  }

  /** Waits until the refusal may be sent. The socket is closed if too many refusals wait. */
  refusal({ refusals }: Pick<Admission, 'refusals'>): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        this.#end();
        resolve();
      };
      if (!refusals.add(this.#against, resolve, end)) end();
    });
  }

  #takeMessage(): void {
    const now = performance.now();
    const filled = this.#otherMessages + ((now - this.#filledAt) / 1_000) * OTHER_MESSAGES_PER_SECOND;
    this.#otherMessages = Math.min(OTHER_MESSAGES, filled) - 1;
    this.#filledAt = now;
    if (this.#otherMessages < 0 && this.#socket.readyState === this.#socket.OPEN) this.#end();
  }

  #end(): void {
    this.#intake.stop();
    this.#socket.close(TOO_MANY_CODE, TOO_MANY_MESSAGES);
    setTimeout(() => this.#socket.terminate(), READ_REASON_MS).unref();
  }
}
