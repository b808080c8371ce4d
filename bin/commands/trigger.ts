import { Command } from 'commander';
import { type ApiFlags, apiAccess, withApiAccess } from '../api-access.ts';
import { askApi } from '../ask-api.ts';
import { exitOnFailure } from '../expected-failure.ts';
import type { FollowedEvent } from '../listen/follow-events.ts';

interface Flags extends ApiFlags {
  readonly subscription?: string;
}

const TRIGGER = `mutation ($type: String!, $subscriptionId: ID) {
  triggerEvent(type: $type, subscriptionId: $subscriptionId) { id type createdAt sequence data }
}`;

/**
 * `dues trigger subscription.payment_failed`: records a sample event in a merchant's test
 * environment.
 */
export function triggerCommand(): Command {
  return withApiAccess(new Command('trigger'))
    .argument('<type>', 'any event about a subscription, like subscription.payment_failed')
    .option('--subscription <address>', 'subscription of the event (default: a made-up one)')
    .addHelpText(
      'after',
      '\nIt is sent to the endpoints that receive its type and to dues listen. The key needs the scope write, in TEST.',
    )
    .action((type: string, flags: Flags) => exitOnFailure('trigger', trigger(type, flags)));
}

async function trigger(type: string, flags: Flags): Promise<void> {
  const { triggerEvent: event } = await askApi<{ triggerEvent: FollowedEvent }>(apiAccess(flags), TRIGGER, {
    type,
    subscriptionId: flags.subscription,
  });
  const position =
    event.sequence === null ? 'without a subscription' : `sequence ${event.sequence} of its subscription`;
  console.log(
    `Recorded ${event.type} ${event.id}, ${position}. It is sent to every endpoint that receives its type.`,
  );
  console.log(JSON.stringify(event.data, null, 2));
}
