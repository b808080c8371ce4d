/** Reads the transfers of token accounts over RPC, without code of dues. */

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

/**
 * The sums of the transfers into the token account `receiver`, by source account, in base units.
 */
export async function sumTransfersBySource(rpcUrl: string, receiver: string): Promise<Map<string, bigint>> {
  const sums = new Map<string, bigint>();
  for (const { source, amount } of await readTransfersTo(rpcUrl, receiver)) {
    sums.set(source, (sums.get(source) ?? 0n) + amount);
  }
  return sums;
}

/** All transfers into the token account `receiver`, newest first. */
export async function readTransfersTo(rpcUrl: string, receiver: string): Promise<TokenTransfer[]> {
  const transfers = await readTransfersNaming(rpcUrl, receiver);
  return transfers.filter(({ destination }) => destination === receiver);
}

/** The transfers in all transactions that name an address, newest transaction first. */
export async function readTransfersNaming(rpcUrl: string, address: string): Promise<TokenTransfer[]> {
  const transfers: TokenTransfer[] = [];
  for (const signature of await readSignaturesOf(rpcUrl, address)) {
    const { transaction, meta, blockTime } = await rpc<RpcTransaction>(rpcUrl, 'getTransaction', [
      signature,
      { commitment: 'confirmed', encoding: 'jsonParsed', maxSupportedTransactionVersion: 1 },
    ]);
    if (meta.err) continue;
    const inner = (meta.innerInstructions ?? []).flatMap(({ instructions }) => instructions);
    for (const { program, parsed } of [...transaction.message.instructions, ...inner]) {
      if (program !== 'spl-token' || !parsed?.type.startsWith('transfer')) continue;
      const { source = '', destination = '', amount, tokenAmount } = parsed.info;
      const baseUnits = BigInt(amount ?? tokenAmount?.amount ?? 0);
      transfers.push({ signature, blockTime, source, destination, amount: baseUnits });
    }
  }
  return transfers;
}

async function readSignaturesOf(rpcUrl: string, address: string): Promise<string[]> {
  const signatures: string[] = [];
  for (;;) {
    const page = await rpc<{ signature: string }[]>(rpcUrl, 'getSignaturesForAddress', [
      address,
      { commitment: 'confirmed', limit: 1_000, ...(signatures.length > 0 && { before: signatures.at(-1) }) },
    ]);
    signatures.push(...page.map(({ signature }) => signature));
    if (page.length < 1_000) return signatures;
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
