import { createSolanaRpc } from '@solana/kit';
import { Command } from 'commander';
import { readChainTime } from '../../src/chain/accounts/read-accounts.ts';
import { publicPart, rootMessage } from '../../src/observability/public-urls.ts';
import { parseDuration, parseHttpUrl } from '../arguments.ts';
import { callCheatCode } from '../cheat-code.ts';
import { exitOnFailure } from '../expected-failure.ts';

/** The time was not moved, because the network is unreachable or not a local one. */
export class TravelRefused extends Error {
  override name = 'TravelRefused';
}

/** `dues travel 30d`: moves the time of a running local network forward. */
export function travelCommand(): Command {
  return (
    new Command('travel')
      .argument('<how far>', 'like 30d, 12h, 10m or 45s', parseDuration)
      // `-5d` is then reported as a wrong duration, not as an unknown option.
      .allowUnknownOption()
      .option('--rpc <url>', "the network's JSON-RPC", parseHttpUrl, 'http://127.0.0.1:8899')
      .addHelpText('after', '\nCheckout sessions expire 30 minutes after their creation, by the moved time.')
      .action((seconds: number, flags: { rpc: string }) =>
        exitOnFailure('travel', travel(flags.rpc, seconds)),
      )
  );
}

async function travel(rpcUrl: string, seconds: number): Promise<void> {
  const network = `The network at ${publicPart(rpcUrl)}`;
  const now = await readChainTime({ rpc: createSolanaRpc(rpcUrl), minSlot: 0n }).catch((cause: unknown) => {
    throw new TravelRefused(
      `${network} does not report its time: ${rootMessage(cause)}. --rpc is the JSON-RPC of a local network, which npm start prints as Solana`,
      { cause },
    );
  });
  const target = (Number(now) + seconds) * 1000;
  await callCheatCode(rpcUrl, 'surfnet_timeTravel', [{ absoluteTimestamp: target }]).catch((cause: Error) => {
    throw new TravelRefused(
      `${network} cannot move its time, which only local networks can: ${rootMessage(cause)}`,
      {
        cause,
      },
    );
  });
  console.log(`The chain's time is now ${new Date(target).toISOString()}.`);
}
