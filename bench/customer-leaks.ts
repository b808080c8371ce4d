import { randomUUID } from 'node:crypto';
import { openPortal, type PortalHolder } from '../src/domain/portal/portal-session.ts';
import type { Subscription } from '../src/generated/prisma/client.ts';
import { type PortalSession, walkPortal } from '../tools/portal-walk.ts';
import { buyWithSolanaPay } from './customer-buys.ts';
import type { CustomerWorld } from './customer-world.ts';

/**
 * Requests every route of the portal that names a subscription as several customers, for data of
 * other customers, of another merchant and of another environment.
 */
export async function countLeaks(world: CustomerWorld) {
  const other = await world.newSeller();
  const ada = await buyWithSolanaPay(world, { email: 'ada@shop.example', from: '192.0.2.3' });
  const bob = await buyWithSolanaPay(world, { email: 'bob@shop.example', from: '192.0.2.4' });
  const cleo = await buyWithSolanaPay(world, { seller: other, email: 'ada@shop.example', from: '192.0.2.5' });
  const adasSubscription = ada.subscription;
  const live = await createInLive(world, adasSubscription);
  const allSubscriptions = [adasSubscription, bob.subscription, cleo.subscription, live];
  const { scope } = world.seller;
  const wallet = ada.wallet.publicKey.toBase58();
  const sessions = await Promise.all([
    openSession(world, { kind: 'wallet', walletAddress: wallet }, [adasSubscription, live]),
    openSession(world, { kind: 'customer', ...scope, customerId: adasSubscription.customerId }, [
      adasSubscription,
    ]),
    openSession(world, { kind: 'email', ...scope, email: 'ada@shop.example' }, [adasSubscription]),
    openSession(world, { kind: 'email', ...scope, environment: 'LIVE', email: 'ada@shop.example' }, [live]),
    openSession(world, { kind: 'email', ...other.scope, email: 'ada@shop.example' }, [cleo.subscription]),
    openSession(world, { kind: 'customer', ...scope, customerId: bob.subscription.customerId }, [
      bob.subscription,
    ]),
    openSession(world, { kind: 'wallet', walletAddress: world.mint }, []),
  ]);
  const { asked, leaks } = await walkPortal(sessions, allSubscriptions);
  for (const leak of leaks) console.log(`  ${leak}`);
  return { walked: asked, leaks: leaks.length };
}

async function openSession(
  { ctx, api }: CustomerWorld,
  holder: PortalHolder,
  own: readonly Subscription[],
): Promise<PortalSession> {
  const { token } = await openPortal(ctx, ctx.db, holder, { flow: 'ALL', returnUrl: null });
  const headers = {
    cookie: `__Host-dues_portal=${token}`,
    origin: new URL(ctx.config.publicUrl).origin,
    'content-type': 'application/json',
  };
  return {
    name: JSON.stringify(holder),
    own,
    ask: async (path, body) => {
      const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
      const response = await fetch(`${api.url}/api/portal/${path}`, init);
      return { status: response.status, body: await response.json() };
    },
  };
}

/** Creates a subscription of the same customer in LIVE, which is on no chain. */
async function createInLive(
  { ctx, seller }: CustomerWorld,
  { id, ...columns }: Subscription,
): Promise<Subscription> {
  const scope = { ...seller.scope, environment: 'LIVE' } as const;
  const { id: _, ...terms } = seller.plan;
  const plan = await ctx.db.plan.create({ data: { ...terms, ...scope, address: randomUUID() } });
  const { walletAddress, metadata: __, ...fields } = columns;
  const customer = await ctx.db.customer.create({
    data: { ...scope, email: 'ada@shop.example', walletAddress },
  });
  const notDue = { nextAttemptAt: null, claimedUntil: null };
  return ctx.db.subscription.create({
    data: { ...fields, ...scope, ...notDue, walletAddress, planId: plan.id, customerId: customer.id },
  });
}
