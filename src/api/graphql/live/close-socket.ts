import type { Context } from 'graphql-ws';
import type { Extra } from 'graphql-ws/use/ws';

export type SocketConnection = Context<Record<string, unknown> | undefined, Extra>;

/** Closes a WebSocket and ends its operations, so that nothing more is read for it. */
export function closeSocket(
  { extra: { socket }, subscriptions }: SocketConnection,
  code: number,
  reason: string,
): void {
  if (socket.readyState !== socket.OPEN) return;
  // The socket closes first, so that no operation sends `complete`.
  socket.close(code, reason);
  for (const stream of Object.values(subscriptions)) {
    if (stream && 'return' in stream) void stream.return?.(undefined);
  }
}
