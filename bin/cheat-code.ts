/** The network refused the cheat code or does not have it: only local networks have cheat codes. */
export class CheatCodeRefused extends Error {
  override name = 'CheatCodeRefused';
}

/**
 * Calls a cheat code of a local network; localnet/cheatcodes.ts lists them.
 *
 * @throws CheatCodeRefused with the network's message
 */
export async function callCheatCode(
  rpcUrl: string,
  method: string,
  params: readonly unknown[],
): Promise<void> {
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const answer = (await response.json().catch(() => null)) as { error?: { message?: string } } | null;
  if (answer && !answer.error && response.ok) return;
  throw new CheatCodeRefused(answer?.error?.message ?? `it responded with status ${response.status}`);
}
