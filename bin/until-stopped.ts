/**
 * Resolves at the first SIGINT or SIGTERM; made before anything is started, so that none is missed. Whoever asks a second
 * time does not want to wait for the end of what is under way.
 */
export function untilStopped(): Promise<void> {
  let asked = false;
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        if (asked) process.exit(1);
        asked = true;
        resolve();
      });
    }
  });
}
