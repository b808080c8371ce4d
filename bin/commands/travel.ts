import { createSolanaRpc } from '@solana/kit';
import { Command } from 'commander';
import { readChainTime } from '../../src/chain/accounts/read-accounts.ts';
import { publicPart, rootMessage } from '../../src/observability/public-urls.ts';
import { duration, httpUrl } from '../arguments.ts';
import { cheatCode } from '../cheat-code.ts';
import { orExplain } from '../expected-failure.ts';

/** The time was not moved: the network is unreachable or not a local one. */
export class TravelRefused extends Error {
  override name = 'TravelRefused';
}

/** `dues travel 30d`: moves the time of a running local network forward. */
export function travelCommand(): Command {
  return (
    new Command('travel')
      .argument('<how far>', 'like 30d, 12h, 10m or 45s', duration)
      // So that `-5d` is reported as a wrong duration and not as an unknown option.
      .allowUnknownOption()
      .option('--rpc <url>', "the network's JSON-RPC", httpUrl, 'http://127.0.0.1:8899')
      .addHelpText('after', '\nOpen checkout sessions then expire: they last 30 minutes of that time.')
      .action((seconds: number, flags: { rpc: string }) => orExplain('travel', travel(flags.rpc, seconds)))
  );
}

async function travel(rpcUrl: string, seconds: number): Promise<void> {
  const who = `The network at ${publicPart(rpcUrl)}`;
  const now = await readChainTime({ rpc: createSolanaRpc(rpcUrl), minSlot: 0n }).catch((cause: unknown) => {
    throw new TravelRefused(`${who} does not report its time: ${rootMessage(cause)}`, { cause });
  });
  const target = (Number(now) + seconds) * 1000;
  await cheatCode(rpcUrl, 'surfnet_timeTravel', [{ absoluteTimestamp: target }]).catch((cause: Error) => {
    throw new TravelRefused(
      `${who} cannot move its time, which only local networks can: ${rootMessage(cause)}`,
      {
        cause,
      },
    );
  });
  console.log(`The chain's time is now ${new Date(target).toISOString()}.`);
}
