import type { Context } from 'graphql-ws';
import type { Extra } from 'graphql-ws/use/ws';

export type SocketConnection = Context<Record<string, unknown> | undefined, Extra>;

/** Closes a WebSocket from our side, with all that runs on it: nothing is read for it any more while it closes. */
export function closeSocket(
  { extra: { socket }, subscriptions }: SocketConnection,
  code: number,
  reason: string,
): void {
  if (socket.readyState !== socket.OPEN) return;
  // First, so that none of the subscriptions says that it is complete.
  socket.close(code, reason);
  for (const stream of Object.values(subscriptions)) {
    if (stream && 'return' in stream) void stream.return?.(undefined);
  }
}
