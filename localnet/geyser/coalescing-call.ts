import { ServerInterceptingCall, type ServerInterceptor } from '@grpc/grpc-js';

/** How much may be under way to the socket before the writer has to wait: a few HTTP/2 frames. */
const MAX_IN_FLIGHT_BYTES = 64 * 1024;

/**
 * Lets several messages of a stream be under way at once. By itself grpc-js hands the next message to HTTP/2 only
 * when the one before has reached the socket, so that each becomes a DATA frame of its own; besides being slow, that
 * makes Rust clients hang up ("too_many_data_frames": h2 takes a run of small frames for an attack). With more than
 * one waiting, Node writes them together, as the real server does. Nothing waits for company: the first goes at once.
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
