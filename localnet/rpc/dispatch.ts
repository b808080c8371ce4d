import type { FaultMoment, MethodFault } from '../faults.ts';
import type { Network } from '../network.ts';
import { toJson } from './json.ts';
import {
  INTERNAL_ERROR,
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
  PARSE_ERROR,
  RpcError,
  type RpcMethods,
} from './method.ts';
import { invalidParams } from './params.ts';

/** Cheat codes read the newest state, even if the called node is behind. */
const CHEAT_CODE = /^(surfnet|localnet)_/;

type Id = string | number | null;

interface Request {
  readonly id?: Id;
  readonly method: string;
  readonly params: readonly unknown[];
}

interface RpcResponse {
  readonly jsonrpc: '2.0';
  readonly result?: unknown;
  readonly error?: unknown;
  readonly id: Id;
}

/**
 * The result of one HTTP request or WebSocket message: a JSON body (empty for notifications only),
 * or a fault that was set for one of its methods.
 */
export type Outcome = { readonly body: string } | Fault;

export interface Fault {
  readonly fault: MethodFault;
  /** Id of the request with the fault. */
  readonly id: Id;
}

/**
 * Answers the JSON-RPC request or batch in `text` with the state that `node` sees. Never throws:
 * errors of a method are returned to the caller.
 */
export async function dispatch(
  network: Network,
  methods: RpcMethods,
  text: string,
  node: string,
): Promise<Outcome> {
  const parsed = parseJson(text);
  if (parsed === undefined || parsed === null || typeof parsed !== 'object') {
    return { body: toJson(failure(null, new RpcError(PARSE_ERROR, 'Parse error'))) };
  }
  const taken = takeFault(network, parsed);
  if (taken?.when === 'before') return taken.outcome;
  const body = await answerAll(network, methods, parsed, node);
  return taken?.outcome ?? { body };
}

/** Responses to a request or a batch, as text; empty for notifications only. */
async function answerAll(
  network: Network,
  methods: RpcMethods,
  parsed: object,
  node: string,
): Promise<string> {
  if (!Array.isArray(parsed)) {
    const response = await answerOne(network, methods, parsed, node);
    return response ? toJson(response) : '';
  }
  if (parsed.length === 0) return toJson(failure(null, invalidRequest()));
  const responses: RpcResponse[] = [];
  for (const request of parsed) {
    const response = await answerOne(network, methods, request, node);
    if (response) responses.push(response);
  }
  return responses.length > 0 ? toJson(responses) : '';
}

/** The response to one request; undefined for a notification. */
async function answerOne(
  network: Network,
  methods: RpcMethods,
  value: unknown,
  node: string,
): Promise<RpcResponse | undefined> {
  let id: Id = null;
  try {
    id = idOf(value);
    const request = requestOf(value);
    const method = Object.hasOwn(methods, request.method) ? methods[request.method] : undefined;
    if (!method) throw new RpcError(METHOD_NOT_FOUND, 'Method not found');
    const run = () => method(network, request.params);
    const result = await (CHEAT_CODE.test(request.method) ? run() : network.seenBy(node, run));
    return hasId(value) ? { jsonrpc: '2.0', result: result ?? null, id } : undefined;
  } catch (error) {
    if (!(error instanceof RpcError)) console.error(error);
    return hasId(value) || isInvalid(error) ? failure(id, error) : undefined;
  }
}

function requestOf(value: unknown): Request {
  const { jsonrpc, method, params } = (value ?? {}) as Record<string, unknown>;
  if (typeof method !== 'string') throw invalidRequest();
  if (jsonrpc === undefined || jsonrpc === null) {
    throw new RpcError(INVALID_REQUEST, 'Unsupported JSON-RPC protocol version');
  }
  if (jsonrpc !== '2.0') throw invalidRequest();
  if (params === undefined || params === null) return { method, params: [] };
  if (typeof params !== 'object') throw invalidRequest();
  if (!Array.isArray(params)) throw invalidParams('`params` should be an array');
  return { method, params };
}

function idOf(value: unknown): Id {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalidRequest();
  const { id = null } = value as { id?: unknown };
  if (id !== null && typeof id !== 'string' && typeof id !== 'number') throw invalidRequest();
  return id;
}

function hasId(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'id' in value;
}

function isInvalid(error: unknown): boolean {
  return error instanceof RpcError && error.code === INVALID_REQUEST;
}

function invalidRequest(): RpcError {
  return new RpcError(INVALID_REQUEST, 'Invalid request');
}

function failure(id: Id, error: unknown): RpcResponse {
  const { code, message, data } =
    error instanceof RpcError ? error : new RpcError(INTERNAL_ERROR, 'Internal error');
  return { jsonrpc: '2.0', error: { code, message, ...(data !== undefined && { data }) }, id };
}

// A provider's fault affects the whole HTTP request, so the first method of a batch that has a
// fault decides.
function takeFault(network: Network, parsed: unknown): { outcome: Fault; when: FaultMoment } | undefined {
  for (const request of Array.isArray(parsed) ? parsed : [parsed]) {
    const { method, id } = (request ?? {}) as { method?: unknown; id?: unknown };
    const taken = typeof method === 'string' ? network.faults.takeMethodFault(method) : undefined;
    if (!taken) continue;
    const outcome = { fault: taken.fault, id: typeof id === 'string' || typeof id === 'number' ? id : null };
    return { outcome, when: taken.when };
  }
  return undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
