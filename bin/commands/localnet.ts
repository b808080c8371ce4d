import { access, constants } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { styleText } from 'node:util';
import { Command } from 'commander';
import { CloneFailed } from '../../localnet/clone.ts';
import { programFromEnvironment, SUBSCRIPTIONS_PROGRAM, USDC_MINT } from '../../localnet/genesis.ts';
import { type Localnet, type LocalnetOptions, startLocalnet } from '../../localnet/localnet.ts';
import { UnreadableState } from '../../localnet/state-file.ts';
import { UnreadableProgram } from '../../localnet/virtual-machine.ts';
import { rootMessage } from '../../src/observability/public-urls.ts';
import { parseHttpUrl, parsePort, parseWholeNumber } from '../arguments.ts';
import { exitOnFailure } from '../expected-failure.ts';
import { withPortOption } from '../port-option-hint.ts';
import { untilStopped } from '../until-stopped.ts';

/** `dues localnet`: runs a Solana network on this machine until stopped. */
export function localnetCommand(): Command {
  return new Command('localnet')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--rpc-port <port>', 'JSON-RPC over HTTP (0 = any free port, here and below)', parsePort, 8899)
    .option('--ws-port <port>', 'WebSocket subscriptions', parsePort, 8900)
    .option('--yellowstone-port <port>', 'Yellowstone gRPC', parsePort, 10000)
    .option('--x-token <token>', 'the x-token that Yellowstone clients must send')
    .option('--slot-ms <ms>', 'length of a slot in ms; 0 = one slot per transaction', parseWholeNumber, 250)
    .option('--history <transactions>', 'number of transactions that are kept', parseWholeNumber, 20_000)
    .option(
      '--program <file.so>',
      'binary of the subscriptions program, for example the official one (default: LOCALNET_PROGRAM)',
    )
    .option('--clone-from <rpc url>', 'read the program and the USDC mint from this cluster', parseHttpUrl)
    .option('--state <file>', 'load the state from this file, and save it there after changes and on exit')
    .action((flags: Flags) => exitOnFailure('localnet', runLocalnet(flags)));
}

async function runLocalnet(flags: Flags): Promise<void> {
  const stopped = untilStopped();
  const isSaved = flags.state ? await hasStateFile(flags.state) : false;
  const localnet = await startLocalnet(optionsOf(flags)).catch((error: unknown) => {
    throw explainError(flags, error);
  });
  console.log(describe(localnet, flags, isSaved));
  await stopped;
  await localnet.close();
  if (flags.state) console.log(`  saved to ${flags.state}`);
}

/**
 * Whether the state file of a network exists.
 *
 * @throws UnreadableState if the file cannot be written, which would otherwise be found only at the
 *   end
 */
async function hasStateFile(file: string): Promise<boolean> {
  const folder = dirname(resolve(file));
  await access(folder, constants.W_OK).catch((cause: NodeJS.ErrnoException) => {
    const reason = cause.code === 'ENOENT' ? 'the folder does not exist' : 'it cannot be written to';
    throw new UnreadableState(`cannot keep the state in ${folder}: ${reason}`, { cause });
  });
  return access(file).then(
    () => true,
    () => false,
  );
}

/** Describes an error in terms of the options, with the cause that fetch and the loader hide. */
function explainError(flags: Flags, error: unknown): unknown {
  const { program, cloneFrom } = flags;
  if (error instanceof CloneFailed && error.cause !== undefined) {
    return new CloneFailed(`cannot clone from ${cloneFrom}: ${rootMessage(error.cause)}`, { cause: error });
  }
  if (error instanceof UnreadableProgram) {
    const file = program ?? cloneFrom ?? programFromEnvironment();
    if (!file || error.message.includes(file)) return error;
    return new UnreadableProgram(`${file} is not a program that can run here: ${rootMessage(error)}`, {
      cause: error,
    });
  }
  return withPortOption(flags, error);
}

interface Flags {
  host: string;
  rpcPort: number;
  wsPort: number;
  yellowstonePort: number;
  xToken?: string;
  slotMs: number;
  history: number;
  program?: string;
  cloneFrom?: string;
  state?: string;
}

function optionsOf(flags: Flags): LocalnetOptions {
  return {
    host: flags.host,
    rpcPort: flags.rpcPort,
    webSocketPort: flags.wsPort,
    geyserPort: flags.yellowstonePort,
    xToken: flags.xToken,
    slotMs: flags.slotMs,
    maxTransactions: flags.history,
    program: flags.program,
    cloneFrom: flags.cloneFrom,
    state: flags.state,
  };
}

function describe(
  { network, rpcUrl, webSocketUrl, geyserUrl, walletUrl }: Localnet,
  flags: Flags,
  isSaved: boolean,
) {
  const rows = [
    ['JSON-RPC', rpcUrl],
    ['WebSocket', webSocketUrl],
    ['Yellowstone', geyserUrl],
    ['Wallet', `${walletUrl} (for EXTRA_WALLET_SCRIPT)`],
    ['Program', `${SUBSCRIPTIONS_PROGRAM} (${programOf(flags, isSaved)})`],
    ['USDC', USDC_MINT],
    ['Chain time', new Date(network.clock.nowMs()).toISOString()],
    ['Slots', network.slotMs === 0 ? 'one per transaction' : `every ${network.slotMs} ms`],
    ...(flags.state ? [['State', `${isSaved ? 'from' : 'new, to be saved to'} ${flags.state}`]] : []),
  ] as const;
  const lines = rows.map(([name = '', value]) => `  ${styleText('dim', name.padEnd(12))} ${value}`);
  return [styleText('bold', 'A Solana network is running here.'), ...lines, '', '  Ctrl-C stops it.'].join(
    '\n',
  );
}

/** The binary of the program that runs. */
function programOf(
  { program = programFromEnvironment(), cloneFrom, state }: Flags,
  isSaved: boolean,
): string {
  if (cloneFrom) return `from ${cloneFrom}`;
  if (program) return program;
  return isSaved ? `as saved in ${state}` : 'the compact one of dues';
}
