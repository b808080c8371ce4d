import { toJson } from '../rpc/json.ts';
import { RpcError } from '../rpc/method.ts';
import { invalidParams } from '../rpc/params.ts';

const PARSE_ERROR = new RpcError(-32700, 'Parse error');
const INVALID_REQUEST = new RpcError(-32600, 'Invalid request');
const UNSUPPORTED_VERSION = new RpcError(-32600, 'Unsupported JSON-RPC protocol version');
const METHOD_NOT_FOUND = new RpcError(-32601, 'Method not found');
const INTERNAL_ERROR = new RpcError(-32603, 'Internal error');

/** A method of the connection that the request came over. Throws RpcError to answer with an error. */
export type ConnectionMethod = (params: readonly unknown[]) => unknown;
export type ConnectionMethods = ReadonlyMap<string, ConnectionMethod>;

/**
 * The answer to a JSON-RPC 2.0 message, which is one request or a batch. Undefined where none is due: to a request
 * without an id, which a cluster does not even carry out, and to a batch of nothing else.
 */
export function answerTo(text: string, methods: ConnectionMethods): string | undefined {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  if (typeof message !== 'object' || message === null) return toJson(failure(null, PARSE_ERROR));
  if (!Array.isArray(message)) {
    const response = respond(message, methods);
    return response ? toJson(response) : undefined;
  }
  const responses = message
    .map((request) => respond(request, methods))
    .filter((response) => response !== null);
  return responses.length > 0 ? toJson(responses) : undefined;
}

function respond(request: unknown, methods: ConnectionMethods): object | null {
  const { jsonrpc, id, method, params } = (request ?? {}) as Readonly<Record<string, unknown>>;
  const knownId = typeof id === 'string' || Number.isSafeInteger(id) ? id : null;
  const wellFormed =
    (id === undefined || id === knownId) &&
    (jsonrpc === undefined || jsonrpc === '2.0') &&
    typeof method === 'string' &&
    (params === undefined || typeof params === 'object');
  if (!wellFormed) return failure(knownId, INVALID_REQUEST);
  if (id === undefined) return null;
  try {
    if (jsonrpc === undefined) throw UNSUPPORTED_VERSION;
    const call = methods.get(method);
    if (!call) throw METHOD_NOT_FOUND;
    return { jsonrpc: '2.0', result: call(listOf(params)), id };
  } catch (error) {
    if (error instanceof RpcError) return failure(id, error);
    console.error(`WebSocket method ${method} failed`, error);
    return failure(id, INTERNAL_ERROR);
  }
}

function listOf(params: unknown): readonly unknown[] {
  const list = params ?? [];
  if (!Array.isArray(list)) throw invalidParams('`params` should be an array');
  return list;
}

function failure(id: unknown, { code, message, data }: RpcError): object {
  return { jsonrpc: '2.0', error: { code, message, data }, id };
}
