import { type RpcTransport, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR, SolanaError } from '@solana/kit';

/** The value in every rent-exempt account. It is not used, and it exceeds the safe integers. */
const RENT_EPOCH = /"rentEpoch":\s*18446744073709551615/g;
/** A number that may exceed JavaScript's safe integers. */
const MAY_BE_UNSAFE = /[[:,]\s*-?\d{16,}/;

/**
 * Maximum bytes of a response: more than twice the largest transaction, whose 63 inner calls have
 * 10 KiB each. 100 accounts, of which a part is read, have at most 600 kB.
 */
const MAX_BYTES = 4 * 1024 * 1024;
/** 1,000 signatures in a page come with their memos, which strangers choose. */
const MAX_PAGE_BYTES = 32 * 1024 * 1024;

/** A response has more bytes than dues reads. */
export class ResponseTooLong extends Error {
  override name = 'ResponseTooLong';
}

/**
 * Creates a transport for JSON-RPC over HTTP, like kit's but with faster parsing. kit's transport
 * scans every character in JavaScript to convert numbers to bigints, which takes longer than
 * everything else.
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
    const { method } = payload as { readonly method?: unknown };
    const maxBytes = method === 'getSignaturesForAddress' ? MAX_PAGE_BYTES : MAX_BYTES;
    return readJson(await readText(response, maxBytes)) as TResponse;
  };
}

/**
 * Reads the body up to a maximum, and closes the connection beyond it.
 *
 * @throws ResponseTooLong
 */
async function readText({ body }: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new ResponseTooLong(`The node sent more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, bytes).toString();
}

/**
 * Parses JSON. Integers that exceed the safe ones become bigints; kit converts others if needed.
 */
export function readJson(text: string): unknown {
  const withoutRentEpoch = text.replace(RENT_EPOCH, '"rentEpoch":0');
  return MAY_BE_UNSAFE.test(withoutRentEpoch)
    ? JSON.parse(withoutRentEpoch, reviveUnsafeInteger)
    : JSON.parse(withoutRentEpoch);
}

function reviveUnsafeInteger(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  const isUnsafe = typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value);
  return isUnsafe && /^-?\d+$/.test(context?.source ?? '') ? BigInt(context?.source ?? 0) : value;
}

function writeJson(payload: unknown): string {
  const raw = JSON as unknown as { rawJSON(text: string): unknown };
  return JSON.stringify(payload, (_, value: unknown) =>
    typeof value === 'bigint' ? raw.rawJSON(String(value)) : value,
  );
}
