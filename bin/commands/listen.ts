import { styleText } from 'node:util';
import { Command, InvalidArgumentError } from 'commander';
import { systemClock } from '../../src/clock.ts';
import { Connections } from '../../src/domain/messages/webhook/post/connections.ts';
import { publicPart } from '../../src/observability/public-urls.ts';
import { type ApiFlags, apiAccess, withApiAccess } from '../api-access.ts';
import { parseHttpUrl } from '../arguments.ts';
import { askApi } from '../ask-api.ts';
import { exitOnFailure } from '../expected-failure.ts';
import { type Follower, followEvents } from '../listen/follow-events.ts';
import { forwardEvent } from '../listen/forward-event.ts';
import { forwardedLine } from '../listen/forwarded-line.ts';
import { listeningSecret } from '../listen/listening-secret.ts';
import { untilStopped } from '../until-stopped.ts';

interface Flags extends ApiFlags {
  readonly forwardTo: string;
  readonly events?: string;
}

/**
 * `dues listen`: posts an account's events as webhooks to a server on this machine, until stopped.
 */
export function listenCommand(): Command {
  return withApiAccess(new Command('listen'))
    .requiredOption(
      '--forward-to <url>',
      'URL that receives the events: http://localhost:3000/webhook',
      parseReceiverUrl,
    )
    .option('--events <list>', 'only these event types, separated by commas (default: all)')
    .addHelpText(
      'after',
      '\nPosts new events and events that are sent again (dues resend). The key needs the scope read.',
    )
    .action((flags: Flags) => exitOnFailure('listen', listen(flags)));
}

async function listen(flags: Flags): Promise<void> {
  const stopped = untilStopped();
  const stopping = new AbortController();
  const access = apiAccess(flags);
  const types = flags.events?.split(',').map((type) => type.trim()) ?? [];
  // Requested first, so that no event is missed if the connection breaks, and a wrong key or URL is
  // reported at once.
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
      take: async (event, options) => {
        if (stopping.signal.aborted) return;
        const result = await forwardEvent(connections, forwardTo, event);
        console.log(forwardedLine(systemClock.now(), event, result, options));
      },
      ...outageLines(),
    },
  );
}

/** Prints one line when the connection is lost and one when it is back. */
function outageLines(): Pick<Follower, 'lost' | 'connected'> {
  let isLost = false;
  return {
    lost({ message }) {
      if (!isLost) console.log(styleText('yellow', `Connection lost, reconnecting: ${message}`));
      isLost = true;
    },
    connected() {
      if (isLost) console.log(styleText('green', 'Connected again; missed events follow.'));
      isLost = false;
    },
  };
}

function parseReceiverUrl(value: string): string {
  const { username, password } = new URL(parseHttpUrl(value));
  if (username || password) throw new InvalidArgumentError('The URL must not have a user name or password.');
  return value;
}
