import { afterAll, beforeAll, expect, vi } from 'vitest';

/** What a file could leave open, by Node's names of resources that keep a process running. */
const WATCHED = ['TCPServerWrap', 'TCPSocketWrap', 'PipeWrap', 'ProcessWrap', 'Timeout', 'UDPWrap'];
/** Sockets and timers end a moment after the file has closed what they belong to. */
const PATIENCE = { timeout: 20_000, interval: 20 };

let before: Record<string, number>;

beforeAll(() => {
  before = openResources();
});

// All files of a worker share one process, so what one leaves open disturbs the next.
afterAll(() => vi.waitFor(() => expect(newlyOpen()).toEqual([]), PATIENCE));

function newlyOpen(): string[] {
  return Object.entries(openResources())
    .map(([name, count]) => ({ name, more: count - (before[name] ?? 0) }))
    .filter(({ more }) => more > 0)
    .map(({ name, more }) => `${more} ${name} still open`);
}

function openResources(): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of process.getActiveResourcesInfo()) {
    if (WATCHED.includes(name)) counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}
