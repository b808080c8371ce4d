import type { AppContext } from '../../app.ts';
import { FEE_LAMPORTS, RESERVE_LAMPORTS } from './needs.ts';
import { readCollectors } from './read-collectors.ts';

/** A worker without SOL collects nothing: one line that says whom to send how much. */
export class CollectorWithoutSol extends Error {
  override name = 'CollectorWithoutSol';
}

/**
 * A worker must not start where it could collect nothing. That the collector *before* this one is empty is told by
 * `watchCollectors`: it holds up only the plans that name it.
 *
 * @throws CollectorWithoutSol
 */
export async function assertCollectorsFunded(ctx: AppContext): Promise<void> {
  for (const chain of Object.values(ctx.chain)) {
    const [current] = await readCollectors(ctx, chain);
    if (!current || current.canPay) continue;
    const { environment, address, lamports } = current;
    throw new CollectorWithoutSol(
      `the ${environment} collector ${address} has no SOL to pay fees with: it has ${lamports} lamports and needs ${RESERVE_LAMPORTS + FEE_LAMPORTS} for a first transaction; send it some and start again`,
    );
  }
}
