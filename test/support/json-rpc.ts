/** What a JSON-RPC server answered, whichever way. */
export interface RpcAnswer<T = unknown> {
  readonly result?: T;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** One bare JSON-RPC call, for methods that no client library knows. */
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
