import type { AppContext } from '../../../../app.ts';
import { countDeliveryAttempts } from '../../../../observability/metrics/counters.ts';
import { Connections } from '../post/connections.ts';
import { CUT_OFF, TIMEOUT_MS } from '../post/post-webhook.ts';
import { claimDeliveries } from './claim-deliveries.ts';
import { ClockWatch } from './clock-watch.ts';
import { visitsAfter } from './concurrency.ts';
import { DeliveriesInFlight } from './deliveries-in-flight.ts';
import { type DeliveryJob, enqueueDeliveries, HAND_OVER_MS } from './enqueue-deliveries.ts';
import { nextAttemptTimes } from './next-attempt-times.ts';
import { releaseInterrupted } from './release-interrupted.ts';
import { sendDelivery } from './send-delivery.ts';
import { type EndedAttempt, settleDeliveries } from './settle-deliveries.ts';

/** Maximum deliveries in flight per worker. */
const MAX_IN_FLIGHT = 512;
/**
 * A visit claims from a backlog for this time, or up to twice as long: the time is random, so that
 * visits that began together do not end together. Then the next job, on any worker, continues with
 * the endpoint.
 */
const CLAIM_FOR_MS = 2_000;
/**
 * A visit that has sent everything due may claim for its whole time again, until the visit has this
 * age. A handover to another job would delay the endpoint's next deliveries, and help nobody.
 */
const MAX_VISIT_MS = 30_000;
/**
 * When its time to claim is over, a visit waits this long for its last attempts, and then ends. If
 * they take longer, it claims again: a slow response must not stop an endpoint.
 */
const DRAIN_MS = 500;
/**
 * The same in a worker with many attempts in flight, where ordinary attempts take longer. With less
 * time such a worker would never hand an endpoint over to an idle worker.
 */
const BUSY_DRAIN_MS = 2_000;
const BUSY_FROM = MAX_IN_FLIGHT / 4;
/** A visit continues for this time after a claim, because other deliveries often follow. */
const LINGER_MS = 250;
/** A visit continues if something is due within this time. */
const NEXT_DUE_WITHIN_MS = 100;
/** Delay before a visit claims again if something is due sooner than at the next claim. */
const CLAIM_INTERVAL_MS = 25;
/**
 * A visit that gets no capacity for this time ends in two cases: this worker is full, but another
 * one may not be; or many visits are open, and other endpoints need their jobs.
 */
const NO_CAPACITY_MS = 500;
const BUSY_VISITS = 1_536;
/** Delay before the next visit of such an endpoint. */
const NEXT_VISIT_MS = 2_000;
/** Delay between claims of open visits: another process may have relayed events for them. */
const CLAIM_EVERY_MS = 100;
/** Interval at which visits that use their whole shares let others begin. */
const BEGIN_OTHERS_EVERY_MS = 1_000;
const SETTLE_RETRY_MS = 1_000;
/** Delay before the next job of an endpoint while our clock is wrong. */
const WRONG_CLOCK_MS = 5_000;
/**
 * An attempt that is in flight for longer did not end at its deadline. Its capacity is freed.
 */
const FAIL_AFTER_MS = TIMEOUT_MS + 5_000;
const CLOSE_TIMEOUT_MS = 7_000;

/** The work of one job at its endpoint, or of several jobs for visits with different numbers. */
interface Visit {
  readonly endpointId: string;
  readonly numbers: Set<number>;
  readonly beganAt: number;
  /** When its time to claim started: when it began, or had last sent everything due. */
  since: number;
  readonly claimsForMs: number;
  /** When a delivery was last claimed. */
  claimedAt: number;
  /** When one of its attempts was last in flight, or when it began if none was. */
  busyAt: number;
  /** Maximum attempts in flight here and of all workers, at the last claim of a delivery. */
  share: number;
  concurrency: number;
  /** When it last let others begin. */
  begunOthersAt: number;
  /** Whether a new delivery may be due: the visit must claim again before it ends. */
  mustClaimAgain: boolean;
  readonly over: PromiseWithResolvers<VisitEnd>;
}

/** The end of a visit. */
export interface VisitEnd {
  /** The delay of the endpoint's next job in milliseconds, 0 for now; null if no job is needed. */
  readonly againMs: number | null;
  /** Whether something is due that got no capacity. */
  readonly isWithoutCapacity?: boolean;
}

/**
 * Delivers webhooks in one worker process. Each job visits an endpoint. While a visit uses its whole
 * share of the endpoint's concurrency, it adds the job of a further visit, for any worker. Visits of
 * an endpoint in the same process become one, which has all their shares. All visits of a process
 * share its capacity, its connections, and its statements: one statement claims for all visits, and
 * one transaction settles all attempts that have ended meanwhile.
 *
 * 1. If the process crashes between claim and result, the claim expires and the delivery is sent
 *    again with the same id. An endpoint may get it twice, but never misses it.
 * 2. While the database is unavailable, results are kept, and count as in flight until they are
 *    written.
 * 3. An attempt that does not end at its deadline is no longer in flight and counts as a failure.
 * 4. While our clock is wrong, nothing is claimed and results are kept. Times of a wrong clock
 *    would block lines, and pause or disable endpoints, long after the clock is right again.
 */
export class Deliverer {
  /** Shared with other code that writes the times of deliveries. */
  readonly clock: ClockWatch;
  readonly #ctx: AppContext;
  readonly #lingerMs: number;
  readonly #connections = new Connections();
  readonly #inFlight = new DeliveriesInFlight();
  readonly #visits = new Map<string, Visit>();
  readonly #ended: EndedAttempt[] = [];
  #claiming: Promise<void> | undefined;
  #adding: Promise<void> | undefined;
  #mustClaimAgain = false;
  #isSettling = false;
  #isClosed = false;
  #timer: NodeJS.Timeout | undefined;
  #emptied: PromiseWithResolvers<void> | undefined;

  constructor(ctx: AppContext, { lingerMs = LINGER_MS } = {}) {
    this.#ctx = ctx;
    this.#lingerMs = lingerMs;
    this.clock = new ClockWatch(ctx);
  }

  /**
   * Delivers the due deliveries of an endpoint until none is left, or the time of a visit is over.
   * Rejects if the database does not respond. If this process visits the endpoint already, that
   * visit gets this one's share, and its caller adds the endpoint's next job.
   *
   * @param number of the visit, from 0
   */
  async deliver(endpointId: string, number = 0): Promise<VisitEnd> {
    if (this.#isClosed) return { againMs: 0 };
    const joined = this.#visits.get(endpointId);
    if (joined) {
      joined.numbers.add(number);
      joined.begunOthersAt = Number.NEGATIVE_INFINITY;
      this.wake();
      await joined.over.promise;
      return { againMs: null };
    }
    const now = performance.now();
    const visit: Visit = {
      endpointId,
      numbers: new Set([number]),
      beganAt: now,
      since: now,
      claimsForMs: CLAIM_FOR_MS * (1 + Math.random()),
      claimedAt: Number.NEGATIVE_INFINITY,
      busyAt: now,
      share: Number.POSITIVE_INFINITY,
      concurrency: 0,
      begunOthersAt: Number.NEGATIVE_INFINITY,
      mustClaimAgain: false,
      over: Promise.withResolvers(),
    };
    this.#visits.set(endpointId, visit);
    this.wake();
    return visit.over.promise;
  }

  /**
   * Makes open visits claim the deliveries that are due now. Returns the jobs of endpoints whose
   * visit 0 is not here.
   */
  takeOver(jobs: readonly DeliveryJob[]): DeliveryJob[] {
    const withoutVisit = jobs.filter(({ endpointId, delayMs }) => {
      const visit = delayMs === 0 ? this.#visits.get(endpointId) : undefined;
      if (visit) visit.mustClaimAgain = true;
      return !visit?.numbers.has(0);
    });
    this.wake();
    return withoutVisit;
  }

  /** Claims for all open visits, because something may be due. */
  wake(): void {
    if (this.#claiming) {
      this.#mustClaimAgain = true;
      return;
    }
    if (this.#visits.size === 0) return;
    this.#mustClaimAgain = false;
    this.#claiming = this.#claim()
      .catch((error) => {
        for (const visit of this.#idle()) this.#remove(visit, () => visit.over.reject(error));
        return CLAIM_EVERY_MS;
      })
      .then((nextClaimMs) => {
        this.#claiming = undefined;
        if (this.#mustClaimAgain) this.wake();
        else if (this.#visits.size > 0) this.#claimAfter(nextClaimMs);
      });
  }

  /**
   * Stops claiming and waits for the attempts in flight. Interrupts those that take longer and
   * releases their claims.
   */
  async close(withinMs = CLOSE_TIMEOUT_MS): Promise<void> {
    this.#isClosed = true;
    await this.#claiming;
    await this.#adding;
    const late = setTimeout(() => this.#connections.close(), withinMs);
    this.#settle();
    this.wake();
    if (this.#visits.size > 0) {
      this.#emptied = Promise.withResolvers();
      await this.#emptied.promise;
    }
    clearTimeout(late);
    clearTimeout(this.#timer);
    this.#connections.close();
  }

  /**
   * Claims for all visits, and ends those without work. Resolves with the delay of the next claim.
   */
  async #claim(): Promise<number> {
    const visits = [...this.#visits.values()];
    for (const visit of visits) visit.mustClaimAgain = false;
    if (await this.clock.isWrong()) {
      for (const visit of this.#idle(visits)) this.#end(visit, { againMs: WRONG_CLOCK_MS });
      return CLAIM_EVERY_MS;
    }
    const claiming = visits.filter((visit) => this.#mayClaim(visit));
    await this.#claimAndSend(claiming);
    const now = performance.now();
    const idle = new Set(this.#idle(visits));
    for (const visit of visits) if (!idle.has(visit)) visit.busyAt = now;
    if (this.#inFlight.count >= MAX_IN_FLIGHT) {
      for (const visit of idle) if (now - visit.busyAt > NO_CAPACITY_MS) this.#endWithoutCapacity(visit);
      for (const visit of claiming) idle.delete(visit);
    } else {
      // Every due delivery was sent, or waits for something other than capacity.
      for (const visit of claiming) {
        if (idle.has(visit) && now - visit.beganAt < MAX_VISIT_MS) visit.since = now;
      }
    }
    return this.#endIdle([...idle].filter((visit) => this.#visits.has(visit.endpointId)));
  }

  /** Ends visits with nothing due. Resolves with the delay of the next claim. */
  async #endIdle(visits: readonly Visit[]): Promise<number> {
    const before = performance.now() - this.#lingerMs;
    const idle = visits.filter((visit) => !this.#mayClaim(visit) || visit.claimedAt <= before);
    if (idle.length === 0) return CLAIM_EVERY_MS;
    const times = await nextAttemptTimes(
      this.#ctx,
      idle.map(({ endpointId }) => endpointId),
    );
    const now = this.#ctx.clock.now().getTime();
    let nextClaimMs = CLAIM_EVERY_MS;
    const jobs = [...this.#visits.values()].reduce((sum, { numbers }) => sum + numbers.size, 0);
    for (const visit of idle.filter(({ mustClaimAgain }) => !mustClaimAgain)) {
      const time = times.get(visit.endpointId);
      const againMs = time ? Math.max(0, time.getTime() - now) : null;
      const isOver = againMs === null || againMs > NEXT_DUE_WITHIN_MS || !this.#mayClaim(visit);
      const gotNothing = performance.now() - visit.busyAt > NO_CAPACITY_MS;
      if (isOver || (againMs > 0 && gotNothing)) this.#end(visit, { againMs });
      else if (againMs > 0) nextClaimMs = Math.min(nextClaimMs, Math.max(againMs, CLAIM_INTERVAL_MS));
      else if (gotNothing && jobs > BUSY_VISITS) this.#endWithoutCapacity(visit);
    }
    return nextClaimMs;
  }

  async #claimAndSend(visits: readonly Visit[]): Promise<void> {
    const free = MAX_IN_FLIGHT - this.#inFlight.count;
    if (free <= 0 || visits.length === 0) return;
    const claimed = await claimDeliveries(this.#ctx, {
      visits: new Map(visits.map(({ endpointId, numbers }) => [endpointId, numbers])),
      free,
      inFlight: this.#inFlight.ids,
      busy: this.#inFlight.countBy('endpointId'),
      busyMerchants: this.#inFlight.countBy('merchantId'),
    });
    for (const delivery of claimed) {
      const visit = this.#visits.get(delivery.endpointId);
      if (visit) {
        visit.claimedAt = performance.now();
        visit.share = delivery.share;
        visit.concurrency = delivery.concurrency;
      }
      this.#inFlight.add(delivery, performance.now());
      void sendDelivery(this.#ctx, this.#connections, delivery).then((ended) => {
        if (this.#inFlight.markEnded(delivery)) this.#ended.push(ended);
        this.#settle();
      });
    }
    this.#beginOthers(visits);
  }

  /** Lets other visits of an endpoint begin, here or in other workers, where more may be due. */
  #beginOthers(visits: readonly Visit[]): void {
    const now = performance.now();
    const busy = this.#inFlight.countBy('endpointId');
    const full = visits.filter(
      ({ endpointId, share, begunOthersAt }) =>
        (busy.get(endpointId) ?? 0) >= share && now - begunOthersAt >= BEGIN_OTHERS_EVERY_MS,
    );
    for (const visit of full) visit.begunOthersAt = now;
    const jobs = full.flatMap(({ endpointId, numbers, concurrency }) =>
      visitsAfter(numbers, concurrency).map((visit) => ({ endpointId, visit, delayMs: HAND_OVER_MS })),
    );
    if (jobs.length > 0) this.#adding = enqueueDeliveries(this.#ctx, jobs);
  }

  /**
   * A visit claims for a while, then waits for its last attempts, and claims again if they take
   * long.
   */
  #mayClaim({ since, claimsForMs }: Visit): boolean {
    const drainMs = this.#inFlight.count >= BUSY_FROM ? BUSY_DRAIN_MS : DRAIN_MS;
    return !this.#isClosed && (performance.now() - since) % (claimsForMs + drainMs) < claimsForMs;
  }

  /** Visits without an attempt in flight. */
  #idle(visits: Iterable<Visit> = this.#visits.values()): Visit[] {
    const busy = this.#inFlight.countBy('endpointId');
    return [...visits].filter(({ endpointId }) => !busy.has(endpointId));
  }

  #end(visit: Visit, end: VisitEnd): void {
    this.#remove(visit, () => visit.over.resolve(end));
  }

  #endWithoutCapacity(visit: Visit): void {
    this.#end(visit, { againMs: NEXT_VISIT_MS, isWithoutCapacity: true });
  }

  #remove(visit: Visit, resolve: () => void): void {
    this.#visits.delete(visit.endpointId);
    resolve();
    if (this.#visits.size > 0) return;
    clearTimeout(this.#timer);
    this.#emptied?.resolve();
  }

  #claimAfter(milliseconds: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#failLate();
      this.wake();
    }, milliseconds);
  }

  #failLate(): void {
    const late = this.#inFlight.failLate(performance.now(), FAIL_AFTER_MS);
    if (late.length === 0) return;
    const endpointIds = [...new Set(late.map(({ claimed }) => claimed.endpointId))].slice(0, 10);
    const attempts = late.length;
    this.#ctx.log.error({ attempts, endpointIds }, 'webhook attempts did not end by their deadline');
    for (const ended of late) this.#ended.push(ended);
    this.#settle();
  }

  #settle(): void {
    if (this.#isSettling || this.#ended.length === 0) return;
    this.#isSettling = true;
    void this.#settleBatch(this.#ended.splice(0)).then((isWritten) => {
      this.#isSettling = false;
      if (isWritten) this.#settle();
      // There is capacity again, and the next delivery of a line may be due.
      this.wake();
    });
  }

  async #settleBatch(batch: EndedAttempt[]): Promise<boolean> {
    try {
      if (await this.clock.isWrong()) return this.#keepForLater(batch);
      await this.#write(batch);
    } catch (err) {
      this.#ctx.log.error({ err, deliveries: batch.length }, 'deliveries not settled');
      return this.#keepForLater(batch);
    }
    this.#free(batch);
    for (const { claimed } of batch) {
      const { id: deliveryId, endpointId, merchantId, environment } = claimed;
      void this.#ctx.live.publish('delivery.updated', { merchantId, environment, endpointId, deliveryId });
    }
    return true;
  }

  /** Keeps results that could not be written for the next time, unless the process is closing. */
  #keepForLater(batch: readonly EndedAttempt[]): false {
    if (this.#isClosed) {
      // Their claims expire, and another worker sends them again.
      this.#free([...batch, ...this.#ended.splice(0)]);
    } else {
      this.#ended.unshift(...batch);
      setTimeout(() => this.#settle(), SETTLE_RETRY_MS).unref();
    }
    return false;
  }

  async #write(batch: readonly EndedAttempt[]): Promise<void> {
    const { cutOff = [], ended = [] } = Object.groupBy(batch, ({ result }) =>
      result.error === CUT_OFF ? 'cutOff' : 'ended',
    );
    if (cutOff.length > 0) await releaseInterrupted(this.#ctx, cutOff);
    if (ended.length === 0) return;
    await settleDeliveries(this.#ctx, ended);
    countDeliveryAttempts(
      ended.map(({ claimed: { environment }, result }) => ({ environment, ok: result.error === null })),
    );
  }

  #free(batch: readonly EndedAttempt[]): void {
    for (const { claimed } of batch) this.#inFlight.free(claimed);
  }
}
