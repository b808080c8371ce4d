import type { Network } from './network.ts';
import type { NetworkEvents } from './network-events.ts';

type Listeners = {
  readonly [Event in keyof NetworkEvents]?: (event: NetworkEvents[Event][0]) => void;
};

/** Listens to the network's events; returns a function that removes the listeners. */
export function listenTo(network: Network, listeners: Listeners): () => void {
  const entries = Object.entries(listeners) as [keyof NetworkEvents, () => void][];
  for (const [event, listener] of entries) network.on(event, listener);
  return () => {
    for (const [event, listener] of entries) network.off(event, listener);
  };
}
