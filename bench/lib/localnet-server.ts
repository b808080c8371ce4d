// A local network in a separate process, so that it does not share a thread with the load. It answers any
// message with the processor time that it has used.
import { startLocalnet } from '../../localnet/localnet.ts';
import { ownProcessorTime } from './own-processor-time.ts';

const { rpcUrl, geyserUrl, close } = await startLocalnet();
process.on('message', () => process.send?.(ownProcessorTime()));
process.on('disconnect', () => void close());
process.send?.({ rpcUrl, geyserUrl });
