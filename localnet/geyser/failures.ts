import { status } from '@grpc/grpc-js';

/** The error of a call, with the real server's message. */
export interface Failure {
  readonly code: status;
  readonly details: string;
}

export const UNAUTHENTICATED: Failure = {
  code: status.UNAUTHENTICATED,
  details: 'No valid auth token',
};

export const SHUTTING_DOWN: Failure = {
  code: status.UNAVAILABLE,
  details: 'server is shutting down try again later',
};

/** The client reads more slowly than the network writes. */
export const LAGGED: Failure = {
  code: status.INTERNAL,
  details: 'lagged to send an update',
};

/** No block at or after the requested slot has reached the requested commitment. */
export const NOTHING_TO_REPLAY: Failure = {
  code: status.INTERNAL,
  details: 'failed to get replay response',
};

/** A bug in this server. Its log has the details. */
const INTERNAL_ERROR: Failure = {
  code: status.INTERNAL,
  details: 'internal error',
};

export function replayExpired(fromSlot: string, firstAvailable: number): Failure {
  return {
    code: status.OUT_OF_RANGE,
    details: `broadcast from ${fromSlot} is not available, last available: ${firstAvailable}`,
  };
}

/** Thrown to end a call with a failure. */
export class CallFailed extends Error {
  override name = 'CallFailed';
  readonly failure: Failure;
  constructor(failure: Failure, options?: ErrorOptions) {
    super(failure.details, options);
    this.failure = failure;
  }
}

/** The failure of a call in which an error was thrown. */
export function failureOf(cause: unknown): Failure {
  if (cause instanceof CallFailed) return cause.failure;
  console.error(cause);
  return INTERNAL_ERROR;
}

/** @throws CallFailed if the bytes are not a message of this type */
export function decodeMessage<T>(message: { decode(bytes: Uint8Array): T }, bytes: Uint8Array): T {
  try {
    return message.decode(bytes);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const details = `failed to decode Protobuf message: ${reason}`;
    throw new CallFailed({ code: status.INTERNAL, details }, { cause });
  }
}
