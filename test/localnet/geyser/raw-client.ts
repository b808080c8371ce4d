import { once } from 'node:events';
import { credentials, Client as GrpcClient, Metadata, type ServiceError } from '@grpc/grpc-js';
import { SubscribeRequest, SubscribeUpdate } from '@triton-one/yellowstone-grpc';
import { onTestFinished } from 'vitest';
import type { Request } from './client.ts';

const identity = (bytes: Buffer) => bytes;

/** A Subscribe call without the client library, for bytes and headers that it would not send. */
export function rawSubscribe(port: number, headers: Record<string, string> = {}) {
  const client = new GrpcClient(`127.0.0.1:${port}`, credentials.createInsecure());
  onTestFinished(() => client.close());
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(headers)) metadata.set(name, value);
  return client.makeBidiStreamRequest('/geyser.Geyser/Subscribe', identity, identity, metadata);
}

/** Sends a unary call with raw bytes. Returns the raw response. */
export function rawCall(port: number, method: string, bytes: Buffer): Promise<Buffer> {
  const client = new GrpcClient(`127.0.0.1:${port}`, credentials.createInsecure());
  onTestFinished(() => client.close());
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest(`/geyser.Geyser/${method}`, identity, identity, bytes, (error, reply) => {
      if (error) reject(error);
      else resolve(reply as Buffer);
    });
  });
}

export type RawStream = ReturnType<typeof rawSubscribe>;

/** Encodes a request. */
export function encode(request: Request): Buffer {
  return Buffer.from(
    SubscribeRequest.encode(SubscribeRequest.fromPartial(request as SubscribeRequest)).finish(),
  );
}

/** Waits for the error with which a raw stream ends. */
export async function failureOf(stream: RawStream): Promise<{ code: number; details: string }> {
  stream.resume();
  const [{ code, details }] = (await once(stream, 'error')) as [ServiceError];
  return { code, details };
}

/** Waits until the server has read everything that was written. */
export async function settled(stream: RawStream): Promise<void> {
  const pong = new Promise<void>((resolve) => {
    const onData = (bytes: Buffer) => {
      if (!SubscribeUpdate.decode(bytes).pong) return;
      stream.off('data', onData);
      resolve();
    };
    stream.on('data', onData);
  });
  stream.write(encode({ ping: { id: 1 } }));
  await pong;
}
