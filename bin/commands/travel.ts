import { createSolanaRpc } from '@solana/kit';
import { Command } from 'commander';
import { publicPart, rootMessage } from '../../src/chain/endpoint-words.ts';
import { readChainTime } from '../../src/chain/read-accounts.ts';
import { duration, httpUrl } from '../arguments.ts';
import { cheatCode } from '../cheat-code.ts';
import { orExplain } from '../expected-failure.ts';

/** Time was not moved: nobody is there, or it is no local network. */
export class TravelRefused extends Error {
  override name = 'TravelRefused';
}

/** `dues travel 30d`: moves the time of a running local network forward by that much. */
export function travelCommand(): Command {
  return (
    new Command('travel')
      .argument('<how far>', 'like 30d, 12h, 10m or 45s', duration)
      // So that `-5d` is a wrong duration rather than an option that nobody has heard of.
      .allowUnknownOption()
      .option('--rpc <url>', "the network's JSON-RPC", httpUrl, 'http://127.0.0.1:8899')
      .addHelpText(
        'after',
        '\nA checkout session that is open then expires: it lasts 30 minutes of that time.',
      )
      .action((seconds: number, flags: { rpc: string }) => orExplain('travel', travel(flags.rpc, seconds)))
  );
}

async function travel(rpcUrl: string, seconds: number): Promise<void> {
  const who = `The network at ${publicPart(rpcUrl)}`;
  const now = await readChainTime({ rpc: createSolanaRpc(rpcUrl) }).catch((cause: unknown) => {
    throw new TravelRefused(`${who} cannot be asked for its time: ${rootMessage(cause)}`, { cause });
  });
  const target = (Number(now) + seconds) * 1000;
  await cheatCode(rpcUrl, 'surfnet_timeTravel', [{ absoluteTimestamp: target }]).catch((cause: Error) => {
    throw new TravelRefused(`${who} does not travel in time, as only local ones do: ${rootMessage(cause)}`, {
      cause,
    });
  });
  console.log(`The chain's time is now ${new Date(target).toISOString()}.`);
}
