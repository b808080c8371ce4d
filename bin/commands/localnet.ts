import { styleText } from 'node:util';
import { Command } from 'commander';
import { SUBSCRIPTIONS_PROGRAM, USDC_MINT } from '../../localnet/genesis.ts';
import { type Localnet, type LocalnetOptions, startLocalnet } from '../../localnet/localnet.ts';
import { portNumber, wholeNumber } from '../arguments.ts';
import { orExplain } from '../expected-failure.ts';
import { untilStopped } from '../until-stopped.ts';

/** `dues localnet`: a Solana network on this machine until interrupted. */
export function localnetCommand(): Command {
  return new Command('localnet')
    .description('run a Solana network on this machine: JSON-RPC, WebSocket and Yellowstone gRPC')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--rpc-port <port>', 'JSON-RPC over HTTP (0 = any free port, here and below)', portNumber, 8899)
    .option('--ws-port <port>', 'WebSocket subscriptions', portNumber, 8900)
    .option('--yellowstone-port <port>', 'Yellowstone gRPC', portNumber, 10000)
    .option('--x-token <token>', 'what Yellowstone clients must send as x-token')
    .option('--slot-ms <ms>', 'length of a slot; 0 = one slot a transaction', wholeNumber, 250)
    .option('--history <transactions>', 'how many transactions are remembered', wholeNumber, 20_000)
    .option('--program <file.so>', 'run this binary of the subscriptions program, the official one say')
    .option('--clone-from <rpc url>', 'read the program and the USDC mint from this cluster')
    .option('--state <file>', 'go on from this file, and save to it on exit')
    .action(async (flags: Flags) => {
      const stopped = untilStopped();
      const localnet = await orExplain('localnet', startLocalnet(optionsOf(flags)));
      console.log(describe(localnet, flags));
      await stopped;
      await localnet.close();
    });
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

function describe({ network, rpcUrl, webSocketUrl, geyserUrl }: Localnet, flags: Flags): string {
  const program = flags.program ?? (flags.cloneFrom ? `from ${flags.cloneFrom}` : 'our compact one');
  const rows = [
    ['JSON-RPC', rpcUrl],
    ['WebSocket', webSocketUrl],
    ['Yellowstone', geyserUrl],
    [
      'Program',
      `${SUBSCRIPTIONS_PROGRAM} (${flags.state && !flags.program && !flags.cloneFrom ? 'as saved, else ' : ''}${program})`,
    ],
    ['USDC', USDC_MINT],
    ['Chain time', new Date(network.clock.nowMs()).toISOString()],
    ['Slots', network.slotMs === 0 ? 'one a transaction' : `every ${network.slotMs} ms`],
  ] as const;
  const lines = rows.map(([name, value]) => `  ${styleText('dim', name.padEnd(12))} ${value}`);
  return [styleText('bold', 'A Solana network is running here.'), ...lines, '', '  Ctrl-C stops it.'].join(
    '\n',
  );
}
