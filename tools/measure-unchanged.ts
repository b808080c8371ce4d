/**
 * Tells for how many milliseconds nothing has changed, by the text given for the current state. A
 * slow machine takes longer for the same work, so waiting is judged by progress and not by time.
 */
export function measureUnchangedMs(): (state: string) => number {
  let [last, since] = ['', performance.now()];
  return (state) => {
    if (state !== last) [last, since] = [state, performance.now()];
    return performance.now() - since;
  };
}
