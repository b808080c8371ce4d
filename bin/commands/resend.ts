import { Command } from 'commander';
import { type ApiFlags, apiAccess, withApiAccess } from '../api-access.ts';
import { askApi } from '../ask-api.ts';
import { exitOnFailure } from '../expected-failure.ts';

const RESEND = 'mutation ($eventId: ID!) { resendEvent(eventId: $eventId) { id type } }';

/** `dues resend <event id>`: sends an event again to every `dues listen` of the account. */
export function resendCommand(): Command {
  return withApiAccess(new Command('resend'))
    .argument('<event id>', 'the id printed by dues listen, and the `id` of the webhook')
    .addHelpText('after', '\nThe key needs the scope write.')
    .action((id: string, flags: ApiFlags) => exitOnFailure('resend', resend(id, flags)));
}

async function resend(eventId: string, flags: ApiFlags): Promise<void> {
  const { resendEvent: event } = await askApi<{ resendEvent: { id: string; type: string } }>(
    apiAccess(flags),
    RESEND,
    { eventId },
  );
  console.log(`Sent ${event.type} ${event.id} again to all connected dues listen.`);
}
