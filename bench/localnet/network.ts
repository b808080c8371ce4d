// A local network in a process of its own. It answers any message with the processor time that it
// has used.
import { startLocalnet } from '../../localnet/localnet.ts';
import { ownProcessorTime } from '../lib/own-processor-time.ts';

const { rpcUrl, close } = await startLocalnet();
process.on('message', () => process.send?.(ownProcessorTime()));
process.on('disconnect', () => void close());
process.send?.({ rpcUrl });
