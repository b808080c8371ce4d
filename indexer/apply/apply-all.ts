import type { SeenAccount } from '../order/seen-account.ts';
import type { Mirror } from './mirror.ts';

/**
 * Applies accounts that were read, as fast as the mirror accepts them.
 *
 * @throws if the mirror was stopped
 */
export async function applyAll(mirror: Mirror, seen: readonly SeenAccount[]): Promise<void> {
  const done: Promise<boolean>[] = [];
  for (const account of seen) {
    await mirror.waitForRoom();
    done.push(mirror.addAccount(account));
  }
  if (!(await Promise.all(done)).every(Boolean)) throw new Error('The mirror has been stopped');
}
