import {
  type Address,
  assertIsSignatureBytes,
  getBase64Decoder,
  getBase64Encoder,
  getPublicKeyFromAddress,
  isAddress,
  type ReadonlyUint8Array,
  type SignatureBytes,
  type TransactionPartialSigner,
  verifySignature,
} from '@solana/kit';
import { z } from 'zod';
import type { RemoteSigner } from '../config/collector-source.ts';
import { publicPart, rootMessage } from '../observability/public-urls.ts';
import { isUnreachableStatus } from './rpc/is-unreachable.ts';

/** Timeout of a request. It is short because a batch waits for its signatures. */
const RESPONSE_TIMEOUT_MS = 5_000;
const addressResponse = z.object({ address: z.string().refine(isAddress) });
const signaturesResponse = z.object({ signatures: z.array(z.base64()) });
const [toBase64, fromBase64] = [getBase64Decoder(), getBase64Encoder()];

/**
 * The signer does not respond, or its response is invalid. No signature of the response is used.
 */
export class SignerFailed extends Error {
  override name = 'SignerFailed';
}

/**
 * Creates a signer whose key is on another server. It requests the address once and verifies every
 * signature.
 *
 * - `GET <url>` returns `{"address"}`.
 * - `POST <url>` with `{"address", "messages": [base64]}` returns `{"signatures": [base64]}`, in
 *   the same order.
 *
 * Both send `Authorization: Bearer <token>` if a token is set.
 *
 * @throws SignerFailed
 */
export async function createRemoteSigner(remote: RemoteSigner): Promise<TransactionPartialSigner> {
  const address = addressResponse.safeParse(await ask(remote, {})).data?.address as Address | undefined;
  if (!address) throw failure(remote, 'its response has no address');
  const publicKey = await getPublicKeyFromAddress(address);

  async function sign(messages: readonly ReadonlyUint8Array[]): Promise<SignatureBytes[]> {
    const body = JSON.stringify({ address, messages: messages.map((message) => toBase64.decode(message)) });
    const answer = signaturesResponse.safeParse(await ask(remote, { method: 'POST', body }));
    const signatures = answer.data?.signatures.map((text) => fromBase64.encode(text)) ?? [];
    if (signatures.length !== messages.length) throw failure(remote, 'it did not sign every message');
    for (const [index, message] of messages.entries()) {
      const signature = signatures[index];
      if (!signature || !(await isValid(signature, message))) throw failure(remote, 'its signature is wrong');
    }
    return signatures as ReadonlyUint8Array[] as SignatureBytes[];
  }

  async function isValid(signature: ReadonlyUint8Array, message: ReadonlyUint8Array): Promise<boolean> {
    if (signature.length !== 64) return false;
    assertIsSignatureBytes(signature);
    return verifySignature(publicKey, signature, message);
  }

  return {
    address,
    async signTransactions(transactions) {
      const signatures = await sign(transactions.map(({ messageBytes }) => messageBytes));
      return signatures.map((signature) => ({ [address]: signature }));
    },
  };
}

async function ask(remote: RemoteSigner, init: RequestInit): Promise<unknown> {
  const { url, token } = remote;
  const response = await fetch(url, {
    ...init,
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    // The token must not be sent to another server.
    redirect: 'error',
    signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
  }).catch((cause: unknown) => {
    throw failure(remote, rootMessage(cause), cause);
  });
  if (!response.ok) {
    const problem = `it responded with status ${response.status}`;
    throw failure(remote, problem, isUnreachableStatus(response.status) ? new Error(problem) : undefined);
  }
  return response.json().catch((cause: unknown) => {
    throw failure(remote, 'its response is not JSON', cause);
  });
}

function failure({ url }: RemoteSigner, problem: string, cause?: unknown): SignerFailed {
  return new SignerFailed(`The signer at ${publicPart(url)} cannot be used: ${problem}`, { cause });
}
