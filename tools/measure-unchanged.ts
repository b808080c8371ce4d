/**
 * Returns a function that takes a text for the current state, and returns for how many milliseconds
 * that text has not changed. A slow machine takes longer for the same work, so a wait should end
 * after a time without progress, and not after a fixed time.
 */
export function measureUnchangedMs(): (state: string) => number {
  let [lastState, changedAt] = ['', performance.now()];
  return (state) => {
    if (state !== lastState) [lastState, changedAt] = [state, performance.now()];
    return performance.now() - changedAt;
  };
}
