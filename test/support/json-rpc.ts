/** The response of a JSON-RPC server: a result or an error. */
export interface RpcAnswer<T = unknown> {
  readonly result?: T;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** Sends one JSON-RPC call. It also serves methods that no client library has. */
export async function callRpc<T = unknown>(
  url: string,
  method: string,
  params: readonly unknown[] = [],
): Promise<RpcAnswer<T>> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return (await response.json()) as RpcAnswer<T>;
}
