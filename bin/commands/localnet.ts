import { access, constants } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { styleText } from 'node:util';
import { Command } from 'commander';
import { CloneFailed } from '../../localnet/clone.ts';
import { SUBSCRIPTIONS_PROGRAM, USDC_MINT } from '../../localnet/genesis.ts';
import { type Localnet, type LocalnetOptions, startLocalnet } from '../../localnet/localnet.ts';
import { UnreadableState } from '../../localnet/state-file.ts';
import { UnreadableProgram } from '../../localnet/virtual-machine.ts';
import { rootMessage } from '../../src/chain/endpoint-words.ts';
import { httpUrl, portNumber, wholeNumber } from '../arguments.ts';
import { orExplain } from '../expected-failure.ts';
import { namingPortOption } from '../naming-port-option.ts';
import { untilStopped } from '../until-stopped.ts';

/** `dues localnet`: a Solana network on this machine until interrupted. */
export function localnetCommand(): Command {
  return new Command('localnet')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--rpc-port <port>', 'JSON-RPC over HTTP (0 = any free port, here and below)', portNumber, 8899)
    .option('--ws-port <port>', 'WebSocket subscriptions', portNumber, 8900)
    .option('--yellowstone-port <port>', 'Yellowstone gRPC', portNumber, 10000)
    .option('--x-token <token>', 'what Yellowstone clients must send as x-token')
    .option('--slot-ms <ms>', 'length of a slot; 0 = one slot a transaction', wholeNumber, 250)
    .option('--history <transactions>', 'how many transactions are remembered', wholeNumber, 20_000)
    .option('--program <file.so>', 'run this binary of the subscriptions program, the official one say')
    .option('--clone-from <rpc url>', 'read the program and the USDC mint from this cluster', httpUrl)
    .option('--state <file>', 'go on from this file, and save to it on exit')
    .action((flags: Flags) => orExplain('localnet', runLocalnet(flags)));
}

async function runLocalnet(flags: Flags): Promise<void> {
  const stopped = untilStopped();
  const isSaved = flags.state ? await stateFileIsThere(flags.state) : false;
  const localnet = await startLocalnet(optionsOf(flags)).catch((error: unknown) => {
    throw inTermsOf(flags, error);
  });
  console.log(describe(localnet, flags, isSaved));
  await stopped;
  await localnet.close();
  if (flags.state) console.log(`  saved to ${flags.state}`);
}

/**
 * Whether there is a saved network to go on from.
 *
 * @throws UnreadableState where the file could not be written at the end, which would be too late to learn it
 */
async function stateFileIsThere(file: string): Promise<boolean> {
  const folder = dirname(resolve(file));
  await access(folder, constants.W_OK).catch((cause: NodeJS.ErrnoException) => {
    const reason = cause.code === 'ENOENT' ? 'there is no such folder' : 'it cannot be written to';
    throw new UnreadableState(`cannot keep the state in ${folder}: ${reason}`, { cause });
  });
  return access(file).then(
    () => true,
    () => false,
  );
}

/** What went wrong, in terms of what was asked for, and with the reason that fetch and the loader keep to themselves. */
function inTermsOf(flags: Flags, error: unknown): unknown {
  const { program, cloneFrom } = flags;
  if (error instanceof CloneFailed && error.cause !== undefined) {
    return new CloneFailed(`cannot clone from ${cloneFrom}: ${rootMessage(error.cause)}`, { cause: error });
  }
  if (error instanceof UnreadableProgram) {
    const file = program ?? cloneFrom;
    if (!file || error.message.includes(file)) return error;
    return new UnreadableProgram(`${file} is not a program that can run here: ${rootMessage(error)}`, {
      cause: error,
    });
  }
  return namingPortOption(flags, error);
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

function describe({ network, rpcUrl, webSocketUrl, geyserUrl }: Localnet, flags: Flags, isSaved: boolean) {
  const rows = [
    ['JSON-RPC', rpcUrl],
    ['WebSocket', webSocketUrl],
    ['Yellowstone', geyserUrl],
    ['Program', `${SUBSCRIPTIONS_PROGRAM} (${programOf(flags, isSaved)})`],
    ['USDC', USDC_MINT],
    ['Chain time', new Date(network.clock.nowMs()).toISOString()],
    ['Slots', network.slotMs === 0 ? 'one a transaction' : `every ${network.slotMs} ms`],
    ...(flags.state ? [['State', `${isSaved ? 'from' : 'new, to be saved to'} ${flags.state}`]] : []),
  ] as const;
  const lines = rows.map(([name = '', value]) => `  ${styleText('dim', name.padEnd(12))} ${value}`);
  return [styleText('bold', 'A Solana network is running here.'), ...lines, '', '  Ctrl-C stops it.'].join(
    '\n',
  );
}

/** Which binary of the program runs. */
function programOf({ program, cloneFrom, state }: Flags, isSaved: boolean): string {
  if (cloneFrom) return `from ${cloneFrom}`;
  if (program) return program;
  return isSaved ? `as saved in ${state}` : 'our compact one';
}
