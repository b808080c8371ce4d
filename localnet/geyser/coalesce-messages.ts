import { ServerInterceptingCall, type ServerInterceptor } from '@grpc/grpc-js';

/** Maximum bytes passed to the socket before the writer waits: a few HTTP/2 frames. */
const MAX_IN_FLIGHT_BYTES = 64 * 1024;

/**
 * Allows several messages of a stream in flight at once. By default grpc-js passes the next message
 * to HTTP/2 only after the previous one reached the socket, so each message becomes a DATA frame.
 * That is slow, and Rust clients close the connection ("too_many_data_frames": h2 treats a run of
 * small frames as an attack). If several messages wait, Node writes them together, as the real
 * server does. The first message is never delayed.
 */
class CoalescingCall extends ServerInterceptingCall {
  #inFlight = 0;
  #proceed: (() => void) | undefined;

  override sendMessage(message: Uint8Array, callback: () => void): void {
    this.#inFlight += message.length;
    super.sendMessage(message, () => {
      this.#inFlight -= message.length;
      if (this.#inFlight >= MAX_IN_FLIGHT_BYTES) return;
      const proceed = this.#proceed;
      this.#proceed = undefined;
      proceed?.();
    });
    if (this.#inFlight < MAX_IN_FLIGHT_BYTES) callback();
    else this.#proceed = callback;
  }
}

export const coalesceMessages: ServerInterceptor = (method, call) =>
  method.responseStream ? new CoalescingCall(call) : new ServerInterceptingCall(call);
