import { type RpcTransport, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR, SolanaError } from '@solana/kit';

/** Every account of an answer that is exempt from rent has this; nobody reads it, and it is no safe number. */
const RENT_EPOCH = /"rentEpoch":\s*18446744073709551615/g;
/** A number, behind what stands before one, that may be more than JavaScript's numbers hold. */
const MAY_BE_UNSAFE = /[[:,]\s*-?\d{16,}/;

/**
 * JSON-RPC over HTTP, as kit's own transport does it but for the reading of the answer: that one looks at every single
 * character in JavaScript, to make bigints of numbers, which takes longer than all that is done with the answer.
 */
export function httpTransport(url: string): RpcTransport {
  return async <TResponse>({ payload, signal }: Parameters<RpcTransport>[0]): Promise<TResponse> => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json; charset=utf-8' },
      body: writeJson(payload),
      signal: signal ?? null,
    });
    if (!response.ok) {
      const { status: statusCode, statusText: message, headers } = response;
      throw new SolanaError(SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR, { headers, message, statusCode });
    }
    return readJson(await response.text()) as TResponse;
  };
}

/** Integers that JavaScript's numbers do not hold become bigints; kit makes bigints of the others where they belong. */
export function readJson(text: string): unknown {
  const short = text.replace(RENT_EPOCH, '"rentEpoch":0');
  return MAY_BE_UNSAFE.test(short) ? JSON.parse(short, wholeIntegers) : JSON.parse(short);
}

function wholeIntegers(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  const isUnsafe = typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value);
  return isUnsafe && /^-?\d+$/.test(context?.source ?? '') ? BigInt(context?.source ?? 0) : value;
}

function writeJson(payload: unknown): string {
  const raw = JSON as unknown as { rawJSON(text: string): unknown };
  return JSON.stringify(payload, (_, value: unknown) =>
    typeof value === 'bigint' ? raw.rawJSON(String(value)) : value,
  );
}
