/** Whether all promises are fulfilled or rejected within the timeout. */
export async function settledWithin(work: readonly Promise<unknown>[], timeoutMs: number): Promise<boolean> {
  const timedOut = Promise.withResolvers<false>();
  const timer = setTimeout(() => timedOut.resolve(false), timeoutMs);
  const isSettled = await Promise.race([Promise.allSettled(work).then(() => true), timedOut.promise]);
  clearTimeout(timer);
  return isSettled;
}
