import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { USDC_MINT } from './genesis.ts';

const ROOT = new URL('../', import.meta.url);
const SCRIPT = 'text/javascript; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';

/** Accounts that the wallet offers besides those that a browser creates. */
export interface WalletOptions {
  readonly accounts: readonly {
    readonly name: string;
    /** 64 bytes in the order of `solana-keygen`: private key, public key. */
    readonly keyPair: Uint8Array;
  }[];
  /** Origins of the pages that receive the keys of these accounts (`http://127.0.0.1:3000`). */
  readonly origins: readonly string[];
}

export interface WalletFile {
  readonly type: string;
  readonly body: string;
}

/**
 * Returns a function that finds the files of the wallet for pages by path: `/wallet.js`, the
 * modules that it imports (at their paths in this repository, without types) and `/wallet.json`
 * with the settings of the wallet.
 *
 * @param origin the header `Origin` of the request, which a page cannot choose
 */
export function walletFiles(
  options: WalletOptions = { accounts: [], origins: [] },
): (path: string, origin: string | undefined) => WalletFile | undefined {
  const modules = new Set(modulePaths());
  const cachedModules = new Map<string, string>();
  return (path, origin) => {
    if (path === '/wallet.js') return { type: SCRIPT, body: `import '/${MAIN}';\n` };
    if (path === '/wallet.json') return { type: JSON_TYPE, body: settings(options, origin) };
    if (!modules.has(path)) return undefined;
    const body = cachedModules.get(path) ?? withoutTypes(path);
    cachedModules.set(path, body);
    return { type: SCRIPT, body };
  };
}

const FOLDER = 'localnet/wallet/';
const MAIN = `${FOLDER}main.ts`;
/** The folders whose modules the script imports. */
const FOLDERS = [FOLDER, 'src/base58/'];

function modulePaths(): string[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(new URL(folder, ROOT))
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `/${folder}${name}`),
  );
}

function withoutTypes(path: string): string {
  return stripTypeScriptTypes(readFileSync(new URL(`.${path}`, ROOT), 'utf8'));
}

function settings({ accounts, origins }: WalletOptions, origin: string | undefined): string {
  const isTrusted = origin !== undefined && origins.includes(origin);
  return JSON.stringify({
    usdcMint: USDC_MINT,
    accounts: (isTrusted ? accounts : []).map(({ name, keyPair }) => ({
      name,
      keyPair: Buffer.from(keyPair).toString('base64'),
    })),
  });
}
