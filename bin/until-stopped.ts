/**
 * Service managers usually kill a process ten seconds after the signal. The last second is for the
 * last lines of the log.
 */
const STOP_WITHIN_MS = 9_000;

/**
 * Resolves at the first SIGINT or SIGTERM. Call it before anything is started, so that no signal is
 * missed. If the process still runs nine seconds after the signal, or at a second signal, it exits
 * with code 1.
 */
export function untilStopped(): Promise<void> {
  let isStopping = false;
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        if (isStopping) process.exit(1);
        isStopping = true;
        setTimeout(abort, STOP_WITHIN_MS).unref();
        resolve();
      });
    }
  });
}

function abort(): void {
  console.error(`dues: not everything ended within ${STOP_WITHIN_MS / 1000} s; the rest is aborted`);
  process.exit(1);
}
