import type { Socket } from 'node:net';
import type { Context } from 'graphql-ws';
import type { WebSocket } from 'ws';
import type { Credentials } from '../../access/authenticate.ts';
import type { SocketOperations } from '../transport/socket-operations.ts';

/** A WebSocket, and what is kept of the request that opened it. The request itself is larger. */
export interface OpenedSocket {
  readonly socket: WebSocket;
  readonly tcpSocket: Socket;
  /** The credentials in the request's headers. */
  readonly credentials: Credentials;
  readonly ipAddress: string;
  readonly userAgent: string | undefined;
  readonly operations: SocketOperations;
}

export type SocketConnection = Context<Record<string, unknown> | undefined, OpenedSocket>;

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
