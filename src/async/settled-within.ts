/** Whether all of it came to an end, well or not, before the time was over. */
export async function settledWithin(work: readonly Promise<unknown>[], withinMs: number): Promise<boolean> {
  const late = Promise.withResolvers<false>();
  const timeout = setTimeout(() => late.resolve(false), withinMs);
  const inTime = await Promise.race([Promise.allSettled(work).then(() => true), late.promise]);
  clearTimeout(timeout);
  return inTime;
}
