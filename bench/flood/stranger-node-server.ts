// The node that strangers fill, in a separate process, so that its large answers do not share a
// thread with the load.
import { startStrangerNode } from '../../tools/stranger-node.ts';

process.once('message', async ({ rpcUrl }: { readonly rpcUrl: string }) => {
  const node = await startStrangerNode(rpcUrl);
  process.once('disconnect', () => void node.close().then(() => process.exit()));
  process.send?.({ url: node.url });
});
