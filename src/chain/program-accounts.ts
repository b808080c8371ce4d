import { type Address, createDefaultRpcTransport } from '@solana/kit';
import { PROGRAM } from './addresses.ts';
import type { Chain } from './chain.ts';
import type { ChainAccount } from './read-accounts.ts';
import { retryingTransport } from './retrying-transport.ts';

interface Answer {
  readonly error?: { readonly message: string };
  readonly result?: {
    readonly context: { readonly slot: number };
    readonly value: readonly {
      readonly pubkey: Address;
      readonly account: {
        readonly owner: Address;
        readonly lamports: number;
        readonly data: [string, string];
      };
    }[];
  };
}

/**
 * Every account of the program at 'confirmed': the snapshot that a mirror starts from. It is tens of megabytes: kit's
 * client walks through each of its numbers, in case one does not fit into a double, which holds up the whole process.
 * Of those that are read here only `lamports` could be so large, and a lamport more or less is nothing to a mirror.
 */
export async function readProgramAccounts({
  config,
}: Pick<Chain, 'config'>): Promise<{ slot: bigint; accounts: ChainAccount[] }> {
  const transport = retryingTransport(
    createDefaultRpcTransport({ url: config.rpcUrl, fromJson: (text) => JSON.parse(text) }),
  );
  const options = { commitment: 'confirmed', encoding: 'base64', withContext: true };
  const payload = { jsonrpc: '2.0', id: 1, method: 'getProgramAccounts', params: [PROGRAM, options] };
  const { result, error } = await transport<Answer>({ payload });
  if (!result) throw new Error(`getProgramAccounts: ${error?.message}`);
  const slot = BigInt(result.context.slot);
  const accounts = result.value.map(({ pubkey: address, account: { owner, lamports, data } }) => ({
    ...{ address, owner, slot, lamports: BigInt(lamports) },
    data: new Uint8Array(Buffer.from(data[0], 'base64')),
  }));
  return { slot, accounts };
}
