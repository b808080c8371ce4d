/** Thrown by a handler to run its job again after a delay. It does not count as a failure. */
export class NotYet extends Error {
  override name = 'NotYet';
  readonly delayMs: number;

  constructor(delayMs: number) {
    super(`the job runs again in ${delayMs} ms`);
    this.delayMs = delayMs;
  }
}
