/** The network has no such cheat code, as only local ones do, or refuses what it was asked. */
export class CheatCodeRefused extends Error {
  override name = 'CheatCodeRefused';
}

/**
 * Has a local network do what no other cluster does; the codes are in localnet/cheatcodes.ts.
 *
 * @throws CheatCodeRefused in the network's words
 */
export async function cheatCode(rpcUrl: string, method: string, params: readonly unknown[]): Promise<void> {
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const answer = (await response.json().catch(() => null)) as { error?: { message?: string } } | null;
  if (answer && !answer.error && response.ok) return;
  throw new CheatCodeRefused(answer?.error?.message ?? `it answered ${response.status}`);
}
