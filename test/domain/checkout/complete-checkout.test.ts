import { afterAll, beforeAll, expect, it } from 'vitest';
import { startWorld, type World } from '../world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());
it('works', async () => {
  const merchant = await world.newMerchant();
  const plan = await world.publishPlan(merchant);
  expect(plan.status).toBe('ACTIVE');
  const s = await world.subscribe(merchant, plan, await world.newWallet());
  expect(s).toMatchObject({ status: 'ACTIVE' });
  expect(await world.eventsOf(s.id)).toEqual(['subscription.created']);
  console.log(s, world.logged);
});
