import { expect, it } from 'vitest';
import { sharedByFile } from '../support/shared-by-file.ts';
import { DAY, startWorld } from './world.ts';

const world = await sharedByFile(startWorld());

it('a merchant moves the time through the API, and due payments are collected', async () => {
  const customer = await world.subscriber(await world.plan());
  await world.quiet();
  const { advanceTestClock } = await world.graphql<{ advanceTestClock: string }>(
    'mutation ($seconds: Int!) { advanceTestClock(seconds: $seconds) }',
    { seconds: DAY },
  );
  await world.until(
    'the webhook of the next payment has arrived',
    () => world.receivedEvents(customer.id).length === 3,
  );
  expect(world.receivedEvents(customer.id)).toEqual(['created', 'payment_succeeded', 'payment_succeeded']);
  const [, second] = await world.books(customer.id);
  expect(second?.dueAt.getTime()).toBeLessThanOrEqual(Date.parse(advanceTestClock));
});
