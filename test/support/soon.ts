/**
 * How a test waits for a condition. The limit only ends a test that would hang: no test passes or
 * fails by the speed of the machine.
 */
export const SOON = { timeout: 300_000, interval: 20 } as const;
