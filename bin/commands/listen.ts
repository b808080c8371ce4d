import { styleText } from 'node:util';
import { Command, InvalidArgumentError } from 'commander';
import { publicPart } from '../../src/chain/endpoint-words.ts';
import { systemClock } from '../../src/clock.ts';
import { Connections } from '../../src/domain/webhook/post/connections.ts';
import { type ApiFlags, apiAccess, withApiAccess } from '../api-access.ts';
import { httpUrl } from '../arguments.ts';
import { askApi } from '../ask-api.ts';
import { orExplain } from '../expected-failure.ts';
import { type Follower, followEvents } from '../listen/follow-events.ts';
import { forwardEvent } from '../listen/forward-event.ts';
import { forwardedLine } from '../listen/forwarded-line.ts';
import { listeningSecret } from '../listen/listening-secret.ts';
import { untilStopped } from '../until-stopped.ts';

interface Flags extends ApiFlags {
  readonly forwardTo: string;
  readonly events?: string;
}

/** `dues listen`: posts an account's events to a server on this machine, as webhooks, until stopped. */
export function listenCommand(): Command {
  return withApiAccess(new Command('listen'))
    .requiredOption(
      '--forward-to <url>',
      'where events are posted to: http://localhost:3000/webhook',
      receiverUrl,
    )
    .option('--events <list>', 'only these types, with commas (default: all)')
    .addHelpText(
      'after',
      '\nPosts what happens from now on, and what is sent again (dues resend). The key needs the scope read.',
    )
    .action((flags: Flags) => orExplain('listen', listen(flags)));
}

async function listen(flags: Flags): Promise<void> {
  const stopped = untilStopped();
  const stopping = new AbortController();
  const access = apiAccess(flags);
  const types = flags.events?.split(',').map((type) => type.trim()) ?? [];
  // Asked first, so that nothing is missed however often the connection breaks, and a wrong key or URL is told at once.
  const { eventsCursor: after } = await askApi<{ eventsCursor: string }>(access, '{ eventsCursor }');
  const forwardTo = { url: flags.forwardTo, secret: listeningSecret(access.apiKey) };
  const connections = new Connections();
  void stopped.then(() => {
    stopping.abort();
    connections.close();
  });
  console.log(`Events of ${publicPart(access.url)} go to ${forwardTo.url}. Ctrl-C stops.`);
  console.log(`Signed with ${forwardTo.secret}, always the same for this API key.`);
  await followEvents(
    access,
    { after, types, signal: stopping.signal },
    {
      take: async (event, how) => {
        if (stopping.signal.aborted) return;
        const result = await forwardEvent(connections, forwardTo, event);
        console.log(forwardedLine(systemClock.now(), event, result, how));
      },
      ...outageLines(),
    },
  );
}

/** One line when the connection is lost, however often it is tried again, and one when it is back. */
function outageLines(): Pick<Follower, 'lost' | 'connected'> {
  let isLost = false;
  return {
    lost({ message }) {
      if (!isLost) console.log(styleText('yellow', `Connection lost, trying again: ${message}`));
      isLost = true;
    },
    connected() {
      if (isLost) console.log(styleText('green', 'Connected again; what happened meanwhile follows.'));
      isLost = false;
    },
  };
}

function receiverUrl(value: string): string {
  const { username, password } = new URL(httpUrl(value));
  if (username || password) throw new InvalidArgumentError('Without a user name or password.');
  return value;
}
