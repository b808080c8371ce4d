import { setTimeout as wait } from 'node:timers/promises';
import { afterAll } from 'vitest';
import { closeLeftOpen } from './shared-by-file.ts';

/** What a file could leave open, by Node's names of resources that keep a process running. */
const WATCHED = ['TCPServerWrap', 'TCPSocketWrap', 'PipeWrap', 'ProcessWrap', 'Timeout', 'UDPWrap'];
/** Sockets and timers end a moment after the file has closed what they belong to. */
const MAX_CHECKS = 1_000;
const PAUSE_MS = 20;

// This module is loaded again before each file, and so before what the file starts when it is loaded.
await closeLeftOpen();
const before = openResources();

// All files of a worker share one process, so what one leaves open disturbs the next.
afterAll(async () => {
  for (let check = 1; newlyOpen().length > 0; check += 1) {
    if (check === MAX_CHECKS) throw new Error(`The file leaves open: ${newlyOpen().join(', ')}`);
    // A timer of this pause would itself be found, if it ran during the check.
    await wait(PAUSE_MS);
  }
});

function newlyOpen(): string[] {
  return [...openResources()]
    .filter(([name, count]) => count > (before.get(name) ?? 0))
    .map(([name, count]) => `${count - (before.get(name) ?? 0)} ${name}`);
}

function openResources(): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of process.getActiveResourcesInfo()) {
    if (WATCHED.includes(name)) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}
