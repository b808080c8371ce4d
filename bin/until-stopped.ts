/** Resolves at the first SIGINT or SIGTERM; made before anything is started, so that none is missed. */
export function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });
}
