import { readFile, stat } from 'node:fs/promises';
import { styleText } from 'node:util';
import { createSolanaRpcFromTransport } from '@solana/kit';
import { Command } from 'commander';
import { ClusterUnusable } from '../../src/chain/chain.ts';
import { httpTransport } from '../../src/chain/rpc/http-transport.ts';
import { oneLine } from '../../src/domain/input/one-line.ts';
import {
  MAX_RECEIPT_TEXT,
  type ReceiptFile,
  readReceiptFile,
} from '../../src/domain/receipt/receipt-file.ts';
import { receiptSentence } from '../../src/domain/receipt/receipt-texts.ts';
import { verifyReceipt } from '../../src/domain/receipt/verify-receipt.ts';
import { publicPart, rootMessage } from '../../src/observability/public-urls.ts';
import { parseHttpUrl } from '../arguments.ts';
import { exitOnFailure } from '../expected-failure.ts';

/** The receipt cannot be read or downloaded. */
export class UnreadableReceipt extends Error {
  override name = 'UnreadableReceipt';
}

interface Flags {
  readonly rpc?: string;
  readonly key?: string;
}

const ANSWER_TIMEOUT_MS = 15_000;

/** The default JSON-RPC URL for a receipt of each cluster. */
const NODES = {
  'solana:mainnet': 'https://api.mainnet-beta.solana.com',
  'solana:devnet': 'https://api.devnet.solana.com',
  'solana:localnet': 'http://127.0.0.1:8899',
} as const;

/** `dues verify <receipt>`: compares a receipt with the chain; exit code 1 if they differ. */
export function verifyCommand(): Command {
  return new Command('verify')
    .argument('<receipt>', 'file or URL of a receipt: its page, or its JSON')
    .option(
      '--rpc <url>',
      "JSON-RPC of a node (default: a public one of the receipt's cluster)",
      parseHttpUrl,
    )
    .option('--key <key>', 'the public key of the service that issued it (default: the one in the file)')
    .addHelpText(
      'after',
      '\nNeeds no account and no database. Exits with 1 if the receipt and the chain differ.',
    )
    .action((source: string, flags: Flags) => exitOnFailure('verify', verify(source, flags)));
}

async function verify(source: string, { rpc, key }: Flags): Promise<void> {
  const file = await readReceipt(source);
  const { receipt, seal } = file;
  const url = rpc ?? NODES[receipt.chain.cluster];
  const chain = { rpc: createSolanaRpcFromTransport(httpTransport(url)), minSlot: 0n };
  const { agrees, checks } = await verifyReceipt(chain, file, key).catch((cause: unknown) => {
    throw new ClusterUnusable(`The cluster at ${publicPart(url)} cannot be read: ${rootMessage(cause)}`, {
      cause,
    });
  });
  console.log(receiptSentence(receipt));
  for (const { statement, agrees } of checks)
    console.log(`${agrees ? styleText('green', 'yes') : styleText('red', 'no ')}  ${statement}`);
  console.log(
    `Signed by the key ${oneLine(seal.publicKey)}${key === undefined ? ', which only its service can confirm' : ''}.`,
  );
  console.log(
    agrees
      ? 'The receipt agrees with the chain.'
      : styleText('red', 'The receipt does not agree with the chain.'),
  );
  process.exitCode = agrees ? 0 : 1;
}

async function readReceipt(source: string): Promise<ReceiptFile> {
  const text = /^https?:/.test(source) ? await download(source) : await load(source);
  return readReceiptFile(text);
}

async function load(path: string): Promise<string> {
  try {
    const { size } = await stat(path);
    if (size > 4 * MAX_RECEIPT_TEXT) throw new Error('it is too large for a receipt');
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new UnreadableReceipt(`${path} cannot be read: ${rootMessage(cause)}`, { cause });
  }
}

async function download(url: string): Promise<string> {
  const { pathname } = new URL(parseHttpUrl(url));
  const json = pathname.endsWith('.json') ? url : `${url.replace(/\/+$/, '')}/receipt.json`;
  const response = await fetch(json, { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) }).catch(
    (cause: unknown) => {
      throw new UnreadableReceipt(`${publicPart(json)} cannot be reached: ${rootMessage(cause)}`, { cause });
    },
  );
  if (!response.ok) {
    throw new UnreadableReceipt(
      `${publicPart(json)} has no receipt: it answered with status ${response.status}`,
    );
  }
  return response.text();
}
