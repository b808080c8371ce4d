/** What stops processes usually waits this long before it kills. */
const STOP_WITHIN_MS = 10_000;

/**
 * Resolves at the first SIGINT or SIGTERM; made before anything is started, so that none is missed. From then on the
 * process ends by itself or is ended: after a while, or at once where somebody asks a second time.
 */
export function untilStopped(): Promise<void> {
  let asked = false;
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        if (asked) process.exit(1);
        asked = true;
        setTimeout(giveUp, STOP_WITHIN_MS).unref();
        resolve();
      });
    }
  });
}

function giveUp(): void {
  console.error(`dues: not everything ended within ${STOP_WITHIN_MS / 1000} s; what is left is cut off`);
  process.exit(1);
}
