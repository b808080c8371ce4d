import { styleText } from 'node:util';
import { createSolanaRpcFromTransport, type RpcTransport } from '@solana/kit';
import { Command } from 'commander';
import { ClusterUnusable } from '../../src/chain/chain.ts';
import { httpTransport } from '../../src/chain/rpc/http-transport.ts';
import { MAX_RECEIPT_TEXT, readReceiptFile } from '../../src/domain/billing/receipt/receipt-file.ts';
import { receiptSentence } from '../../src/domain/billing/receipt/receipt-texts.ts';
import { LATER_UNCHECKED, verifyReceipt } from '../../src/domain/billing/receipt/verify-receipt.ts';
import { oneLine } from '../../src/domain/kernel/input/one-line.ts';
import { publicPart, rootMessage } from '../../src/observability/public-urls.ts';
import { parseHttpUrl } from '../arguments.ts';
import { exitOnFailure } from '../expected-failure.ts';
import { downloadText, readFileText } from '../read-source.ts';

interface Flags {
  readonly rpc?: string;
  readonly key?: string;
}

/** For the whole download, and for each answer of the node. */
const TIMEOUT_MS = 15_000;
/** A character has at most four bytes. */
const MAX_BYTES = 4 * MAX_RECEIPT_TEXT;

const AGREES = 0;
const DIFFERS = 1;
/** The transfer agrees, but nothing shows that the service wrote the rest of the file. */
const UNCONFIRMED = 3;

/** The default JSON-RPC URL for a receipt of each cluster. */
const NODES = {
  'solana:mainnet': 'https://api.mainnet-beta.solana.com',
  'solana:devnet': 'https://api.devnet.solana.com',
  'solana:localnet': 'http://127.0.0.1:8899',
} as const;

/**
 * `dues verify <receipt>`: compares a receipt with the chain, and its signature with the key of the
 * service; exit code 1 if they differ, 3 without the key.
 */
export function verifyCommand(): Command {
  return new Command('verify')
    .argument('<receipt>', 'file or URL of a receipt: its page, or its JSON')
    .option(
      '--rpc <url>',
      "JSON-RPC of a node (default: a public one of the receipt's cluster)",
      parseHttpUrl,
    )
    .option('--key <key>', 'the public key of the service that issued it, from its page /receipts/verify')
    .addHelpText(
      'after',
      `
Needs no account and no database. Exits with ${AGREES} if the receipt agrees with the chain and is signed
by the key, ${DIFFERS} if it differs, and ${UNCONFIRMED} if it agrees with the chain and no key was given.`,
    )
    .action((source: string, flags: Flags) => exitOnFailure('verify', verify(source, flags)));
}

async function verify(source: string, { rpc, key }: Flags): Promise<void> {
  const file = readReceiptFile(await readSource(source));
  const { receipt, seal, hasLater } = file;
  const url = rpc ?? NODES[receipt.chain.cluster];
  const chain = { rpc: createSolanaRpcFromTransport(timedTransport(url)), minSlot: 0n };
  const { agrees, checks } = await verifyReceipt(chain, file, key).catch((cause: unknown) => {
    throw new ClusterUnusable(`The cluster at ${publicPart(url)} cannot be read: ${rootMessage(cause)}`, {
      cause,
    });
  });
  console.log(receiptSentence(receipt));
  for (const { statement, agrees } of checks)
    console.log(`${agrees ? styleText('green', 'yes') : styleText('red', 'no ')}  ${statement}`);
  if (hasLater) console.log(LATER_UNCHECKED);
  if (key === undefined) {
    console.log(
      `Not checked: who signed it. Its key is ${oneLine(seal.publicKey)}, and anyone can sign a changed copy with a key of their own.`,
    );
    console.log('Pass the key of the service with --key to check number, names, addresses and dates.');
  } else {
    console.log(`Compared with the key ${oneLine(key)}.`);
  }
  console.log(conclusionOf(agrees, key));
  process.exitCode = !agrees ? DIFFERS : key === undefined ? UNCONFIRMED : AGREES;
}

function conclusionOf(agrees: boolean, key: string | undefined): string {
  if (!agrees) return styleText('red', 'The receipt does not agree with the chain or its signature.');
  if (key !== undefined) return 'The receipt agrees with the chain, and the key has signed it.';
  return styleText('yellow', 'The transfer is on chain. The rest of the receipt is not confirmed.');
}

function timedTransport(url: string): RpcTransport {
  const transport = httpTransport(url);
  return (call) => transport({ ...call, signal: AbortSignal.timeout(TIMEOUT_MS) });
}

function readSource(source: string): Promise<string> {
  const limits = { maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS };
  if (!/^https?:/.test(source)) return readFileText(source, limits);
  const { pathname } = new URL(parseHttpUrl(source));
  const json = pathname.endsWith('.json') ? source : `${source.replace(/\/+$/, '')}/receipt.json`;
  return downloadText(json, limits);
}
