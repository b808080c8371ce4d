// A local network in a separate process, so that it does not share a thread with the load.
import { startLocalnet } from '../../localnet/localnet.ts';

const { rpcUrl, geyserUrl, close } = await startLocalnet();
process.on('disconnect', () => void close());
process.send?.({ rpcUrl, geyserUrl });
