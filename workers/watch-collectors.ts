import type { AppContext } from '../src/app.ts';
import { watchCollectors } from '../src/domain/chain-state/collector/watch-collectors.ts';
import { writeCollectorMail } from '../src/domain/messages/mail/write-collector-mail.ts';

/**
 * `collectors.watch`: checks the collectors' SOL every ten minutes, and when a worker starts. The
 * operator gets a mail about those that are low.
 */
export async function watchCollectorsJob(ctx: AppContext): Promise<void> {
  for (const state of await watchCollectors(ctx)) await writeCollectorMail(ctx, state);
}
