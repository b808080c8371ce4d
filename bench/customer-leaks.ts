import { randomUUID } from 'node:crypto';
import { openPortal, type PortalHolder } from '../src/domain/portal/portal-session.ts';
import type { Subscription } from '../src/generated/prisma/client.ts';
import { type PortalSession, walkPortal } from '../tools/portal-walk.ts';
import { buyWithSolanaPay } from './customer-buys.ts';
import type { CustomerWorld } from './customer-world.ts';

/**
 * Asks every route of the portal as several customers, for what belongs to other customers, another
 * merchant and another environment.
 */
export async function countLeaks(world: CustomerWorld) {
  const other = await world.newSeller();
  const ada = await buyWithSolanaPay(world, { email: 'ada@shop.example', from: '192.0.2.3' });
  const bob = await buyWithSolanaPay(world, { email: 'bob@shop.example', from: '192.0.2.4' });
  const cleo = await buyWithSolanaPay(world, { seller: other, email: 'ada@shop.example', from: '192.0.2.5' });
  const adas = ada.subscription;
  const live = await inLive(world, adas);
  const everything = [adas, bob.subscription, cleo.subscription, live];
  const { scope } = world.seller;
  const wallet = ada.wallet.publicKey.toBase58();
  const sessions = await Promise.all([
    session(world, { kind: 'wallet', walletAddress: wallet }, [adas, live]),
    session(world, { kind: 'customer', ...scope, customerId: adas.customerId }, [adas]),
    session(world, { kind: 'email', ...scope, email: 'ada@shop.example' }, [adas]),
    session(world, { kind: 'email', ...scope, environment: 'LIVE', email: 'ada@shop.example' }, [live]),
    session(world, { kind: 'email', ...other.scope, email: 'ada@shop.example' }, [cleo.subscription]),
    session(world, { kind: 'customer', ...scope, customerId: bob.subscription.customerId }, [
      bob.subscription,
    ]),
    session(world, { kind: 'wallet', walletAddress: world.mint }, []),
  ]);
  const { asked, leaks } = await walkPortal(sessions, everything);
  for (const leak of leaks) console.log(`  ${leak}`);
  return { walked: asked, leaks: leaks.length };
}

async function session(
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

/** The same customer's subscription in LIVE, which no chain knows. */
async function inLive(
  { ctx, seller }: CustomerWorld,
  { id, ...columns }: Subscription,
): Promise<Subscription> {
  const scope = { ...seller.scope, environment: 'LIVE' } as const;
  const { id: _, ...terms } = seller.plan;
  const plan = await ctx.db.plan.create({ data: { ...terms, ...scope, address: randomUUID() } });
  const { walletAddress, metadata: __, ...others } = columns;
  const customer = await ctx.db.customer.create({
    data: { ...scope, email: 'ada@shop.example', walletAddress },
  });
  const never = { nextAttemptAt: null, claimedUntil: null };
  return ctx.db.subscription.create({
    data: { ...others, ...scope, ...never, walletAddress, planId: plan.id, customerId: customer.id },
  });
}
