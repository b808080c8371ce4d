import type { Bytes, SignTransactionInput } from './wallet-standard.ts';

/** The local network that serves this module. */
const NETWORK_URL = new URL('/', import.meta.url);
const LAMPORTS_PER_SOL = 1_000_000_000;
/** Amounts that one click on "Get test money" adds. */
const TEST_LAMPORTS = 10n * BigInt(LAMPORTS_PER_SOL);
const TEST_USDC = 1_000_000_000n;

/** The settings of the wallet, which the network serves as `/wallet.json`. */
export interface WalletSettings {
  readonly usdcMint: string;
  /** Key pairs of 64 bytes in base64. Empty for pages that the network does not trust with them. */
  readonly accounts: readonly { readonly name: string; readonly keyPair: string }[];
}

export interface Balance {
  readonly lamports: bigint;
  /** Base units of the test USDC. */
  readonly usdc: bigint;
}

interface TokenAccounts {
  readonly value: readonly {
    readonly account: {
      readonly data: { readonly parsed: { readonly info: { readonly tokenAmount: { amount: string } } } };
    };
  }[];
}

export async function readSettings(): Promise<WalletSettings> {
  return (await fetch(new URL('wallet.json', NETWORK_URL))).json();
}

/** Reads the SOL and the USDC of a wallet at `confirmed`. */
export async function readBalance(address: string, usdcMint: string): Promise<Balance> {
  const commitment = { commitment: 'confirmed' };
  const [{ value: lamports }, tokens] = await Promise.all([
    call<{ value: number }>('getBalance', [address, commitment]),
    call<TokenAccounts>('getTokenAccountsByOwner', [
      address,
      { mint: usdcMint },
      { ...commitment, encoding: 'jsonParsed' },
    ]),
  ]);
  const amounts = tokens.value.map(({ account }) => BigInt(account.data.parsed.info.tokenAmount.amount));
  return { lamports: BigInt(lamports), usdc: amounts.reduce((sum, amount) => sum + amount, 0n) };
}

/** Adds 10 SOL and 1,000 test USDC to a wallet. Only a local network can do that. */
export async function addTestMoney(address: string, usdcMint: string): Promise<void> {
  const { lamports, usdc } = await readBalance(address, usdcMint);
  await call('surfnet_setAccount', [address, { lamports: String(lamports + TEST_LAMPORTS) }]);
  await call('surfnet_setTokenAccount', [address, usdcMint, { amount: String(usdc + TEST_USDC) }]);
}

/** Sends a signed transaction. Returns nothing, because the caller has its signature. */
export async function send(
  transaction: Bytes,
  { preflightCommitment = 'confirmed', ...options }: NonNullable<SignTransactionInput['options']> = {},
): Promise<void> {
  const wire = btoa(String.fromCharCode(...transaction));
  await call('sendTransaction', [wire, { ...options, preflightCommitment, encoding: 'base64' }]);
}

/** The balance as text: `12.5 SOL, 1,000 USDC`. */
export function balanceText({ lamports, usdc }: Balance): string {
  const number = new Intl.NumberFormat('en', { maximumFractionDigits: 4 });
  const sol = number.format(Number(lamports) / LAMPORTS_PER_SOL);
  return `${sol} SOL, ${number.format(Number(usdc) / 1_000_000)} USDC`;
}

async function call<Result>(method: string, params: readonly unknown[]): Promise<Result> {
  const response = await fetch(NETWORK_URL, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { result, error } = (await response.json()) as { result: Result; error?: { message: string } };
  if (error) throw new Error(error.message);
  return result;
}
