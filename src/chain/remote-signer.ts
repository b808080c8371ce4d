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
import type { RemoteSigner } from '../config/collector-variables.ts';
import { publicPart, rootMessage } from './endpoint-words.ts';

/** A signature holds up its whole batch. */
const ANSWER_WITHIN_MS = 5_000;
const whoSigns = z.object({ address: z.string().refine(isAddress) });
const signed = z.object({ signatures: z.array(z.base64()) });
const [toBase64, fromBase64] = [getBase64Decoder(), getBase64Encoder()];

/** The signer does not answer, or not with what was asked for. Nothing was signed, or nobody has it. */
export class SignerFailed extends Error {
  override name = 'SignerFailed';
}

/**
 * Signs with a key that is kept elsewhere. Asks once whose key it is; every signature is checked before it is used.
 *
 * - `GET <url>` answers `{"address"}`.
 * - `POST <url>` with `{"address", "messages": [base64]}` answers `{"signatures": [base64]}`, in the same order.
 *
 * Both with `Authorization: Bearer <token>` where there is a token.
 *
 * @throws SignerFailed
 */
export async function createRemoteSigner(remote: RemoteSigner): Promise<TransactionPartialSigner> {
  const address = whoSigns.safeParse(await ask(remote, {})).data?.address as Address | undefined;
  if (!address) throw failure(remote, 'it does not tell its address');
  const publicKey = await getPublicKeyFromAddress(address);

  async function sign(messages: readonly ReadonlyUint8Array[]): Promise<SignatureBytes[]> {
    const body = JSON.stringify({ address, messages: messages.map((message) => toBase64.decode(message)) });
    const answer = signed.safeParse(await ask(remote, { method: 'POST', body }));
    const signatures = answer.data?.signatures.map((text) => fromBase64.encode(text)) ?? [];
    if (signatures.length !== messages.length) throw failure(remote, 'it has not signed every message');
    for (const [index, message] of messages.entries()) {
      const signature = signatures[index];
      if (!signature || !(await isGood(signature, message))) throw failure(remote, 'its signature is wrong');
    }
    return signatures as ReadonlyUint8Array[] as SignatureBytes[];
  }

  async function isGood(signature: ReadonlyUint8Array, message: ReadonlyUint8Array): Promise<boolean> {
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
    // A token goes to nobody else.
    redirect: 'error',
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
  }).catch((cause: unknown) => {
    throw failure(remote, rootMessage(cause), cause);
  });
  if (!response.ok) throw failure(remote, `it answers ${response.status}`);
  return response.json().catch((cause: unknown) => {
    throw failure(remote, 'its answer is no JSON', cause);
  });
}

function failure({ url }: RemoteSigner, problem: string, cause?: unknown): SignerFailed {
  return new SignerFailed(`The signer at ${publicPart(url)} cannot be used: ${problem}`, { cause });
}
