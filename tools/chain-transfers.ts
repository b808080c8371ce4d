/** Reads the transfers of token accounts from the chain's RPC, without code of dues. */

/** A transfer of tokens between accounts. */
export interface TokenTransfer {
  readonly signature: string;
  /** Unix seconds. */
  readonly blockTime: number;
  readonly source: string;
  readonly destination: string;
  /** In base units. */
  readonly amount: bigint;
}

interface RpcTransaction {
  readonly blockTime: number;
  readonly transaction: { readonly message: { readonly instructions: readonly RpcInstruction[] } };
  readonly meta: {
    readonly err: unknown;
    readonly innerInstructions: readonly { readonly instructions: readonly RpcInstruction[] }[] | null;
  };
}

interface RpcInstruction {
  readonly program?: string;
  readonly parsed?: {
    readonly type: string;
    readonly info: {
      readonly destination?: string;
      readonly source?: string;
      readonly amount?: string;
      readonly tokenAmount?: { readonly amount: string };
    };
  };
}

/** The sum of the transfers into `receiver` by source account, in base units. */
export async function transfersInto(rpcUrl: string, receiver: string): Promise<Map<string, bigint>> {
  const sums = new Map<string, bigint>();
  for (const { source, amount } of await transfersTo(rpcUrl, receiver)) {
    sums.set(source, (sums.get(source) ?? 0n) + amount);
  }
  return sums;
}

/** All transfers into the token account `receiver`, newest first. */
export async function transfersTo(rpcUrl: string, receiver: string): Promise<TokenTransfer[]> {
  const transfers = await transfersNaming(rpcUrl, receiver);
  return transfers.filter(({ destination }) => destination === receiver);
}

/** The transfers of all transactions that name an address, newest transaction first. */
export async function transfersNaming(rpcUrl: string, address: string): Promise<TokenTransfer[]> {
  const transfers: TokenTransfer[] = [];
  for (const signature of await signaturesOf(rpcUrl, address)) {
    const { transaction, meta, blockTime } = await rpc<RpcTransaction>(rpcUrl, 'getTransaction', [
      signature,
      { commitment: 'confirmed', encoding: 'jsonParsed', maxSupportedTransactionVersion: 1 },
    ]);
    if (meta.err) continue;
    const inner = (meta.innerInstructions ?? []).flatMap((each) => each.instructions);
    for (const { program, parsed } of [...transaction.message.instructions, ...inner]) {
      if (program !== 'spl-token' || !parsed?.type.startsWith('transfer')) continue;
      const { source = '', destination = '', amount, tokenAmount } = parsed.info;
      const moved = BigInt(amount ?? tokenAmount?.amount ?? 0);
      transfers.push({ signature, blockTime, source, destination, amount: moved });
    }
  }
  return transfers;
}

async function signaturesOf(rpcUrl: string, address: string): Promise<string[]> {
  const all: string[] = [];
  for (;;) {
    const page = await rpc<{ signature: string }[]>(rpcUrl, 'getSignaturesForAddress', [
      address,
      { commitment: 'confirmed', limit: 1_000, ...(all.length > 0 && { before: all.at(-1) }) },
    ]);
    all.push(...page.map(({ signature }) => signature));
    if (page.length < 1_000) return all;
  }
}

async function rpc<T>(url: string, method: string, params: unknown[]): Promise<T> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { result, error } = (await response.json()) as { result: T; error?: { message: string } };
  if (error) throw new Error(`${method}: ${error.message}`);
  return result;
}
