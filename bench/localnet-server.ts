// A local network in a separate process, so that it does not share a thread with the load.
import { randomBytes } from 'node:crypto';
import { type Address, getAddressDecoder } from '@solana/kit';
import { SUBSCRIPTIONS_PROGRAM } from '../localnet/genesis.ts';
import { startLocalnet } from '../localnet/localnet.ts';

const SUBSCRIPTION_BYTES = 155;

const localnet = await startLocalnet();
process.on('message', (request: { accounts: number } | { rss: true }) => {
  if ('accounts' in request) {
    const decoder = getAddressDecoder();
    for (let i = 0; i < request.accounts; i++) {
      localnet.network.setAccount(decoder.decode(randomBytes(32)) as Address, {
        lamports: 2_000_000n,
        owner: SUBSCRIPTIONS_PROGRAM,
        data: randomBytes(SUBSCRIPTION_BYTES),
        executable: false,
      });
    }
    localnet.network.tick();
    process.send?.({ done: true });
  } else {
    globalThis.gc?.();
    process.send?.({ rssMb: process.memoryUsage.rss() / 2 ** 20 });
  }
});
process.on('disconnect', () => void localnet.close());
process.send?.({ rpcUrl: localnet.rpcUrl, geyserUrl: localnet.geyserUrl });
