/**
 * Whether a round of the comparison is owed, because accounts may have changed unseen: until a
 * whole round that began afterwards has ended. This class uses no network and no database.
 */
export class OwedRound {
  /** The first unseen change that no round covers, by the clock of the process. */
  #since: number | undefined;
  /** The first unseen change since the running round began. */
  #sinceBegin: number | undefined;
  #unseenChange = Promise.withResolvers<void>();

  /** Records that accounts may have changed unseen until now. */
  recordUnseenChange(): void {
    const now = performance.now();
    this.#since ??= now;
    this.#sinceBegin ??= now;
    this.#unseenChange.resolve();
  }

  /** The time for which a round has been owed; undefined if none is. */
  get owedMs(): number | undefined {
    return this.#since === undefined ? undefined : performance.now() - this.#since;
  }

  /** Resolves when a round is owed because of a change since the last `begin`. */
  get unseenChange(): Promise<void> {
    return this.#unseenChange.promise;
  }

  /** Records that a round begins, or continues one of another process. */
  begin(): void {
    this.#sinceBegin = undefined;
    this.#unseenChange = Promise.withResolvers();
  }

  /** Records that a round which began at the first account has ended. */
  end(): void {
    this.#since = this.#sinceBegin;
  }
}
