import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { AppContext } from '../app.ts';
import type { Role } from '../config/role.ts';
import { clockAhead } from '../domain/billing/collect/clock-agrees.ts';
import { sponsoredSince } from '../domain/checkout/sponsor-budget.ts';
import { readCollectors } from '../domain/collector/read-collectors.ts';
import { outboxStart } from '../domain/event/outbox-place.ts';
import type { Environment } from '../generated/prisma/client.ts';
import { type JobName, jobNames } from '../jobs/catalog.ts';
import { plannedTimeOf } from '../jobs/worker.ts';
import {
  counterRegistry,
  initializeApiCounters,
  initializeCounters,
} from '../observability/metrics/counters.ts';
import { readStreamLag } from './stream-lag.ts';
import { mailsWaiting, paymentsWaiting, webhooksWaiting } from './work-waiting.ts';

/** A part of a scrape: what it reads, and the gauges that it sets. They stay empty if it fails. */
interface Reading {
  readonly name: string;
  readonly gauges: readonly Gauge[];
  read(): Promise<void>;
}

/**
 * The metrics that are measured at a scrape, in addition to the counters of the process. They
 * depend on the roles of the process. If one part fails (for example because a cluster is
 * unreachable), the others are still returned.
 */
export class Gauges {
  readonly #ctx: AppContext;
  readonly #registry = new Registry();
  readonly #readings: readonly Reading[];
  readonly #failures: Counter;

  constructor(ctx: AppContext, roles: readonly Role[]) {
    this.#ctx = ctx;
    collectDefaultMetrics({ register: this.#registry });
    const environments = Object.keys(ctx.config.clusters) as Environment[];
    if (roles.some((role) => role !== 'api')) initializeCounters(environments, jobNames);
    if (roles.includes('api')) initializeApiCounters(environments);
    this.#failures = new Counter({
      name: 'dues_scrape_failures_total',
      help: 'Parts of a scrape that could not be read, by part.',
      labelNames: ['part'],
      registers: [this.#registry],
    });
    const up = this.#gauge('dues_up', '1 for each role of this process.', ['role']);
    for (const role of roles) up.set({ role }, 1);
    this.#readings = [
      ...(roles.includes('worker')
        ? [
            this.#payments(),
            this.#webhooks(),
            this.#mails(),
            this.#queues(),
            this.#collectors(),
            this.#sponsored(),
          ]
        : []),
      ...(roles.includes('indexer') ? [this.#stream()] : []),
      this.#clocks(),
    ];
  }

  /** Returns all metrics in Prometheus' text format. Never rejects. */
  async scrape(): Promise<string> {
    await Promise.all(this.#readings.map((reading) => this.#refresh(reading)));
    return (await Promise.all([counterRegistry.metrics(), this.#registry.metrics()])).join('\n');
  }

  async #refresh({ name, gauges, read }: Reading): Promise<void> {
    for (const gauge of gauges) gauge.reset();
    try {
      await read();
    } catch (err) {
      this.#failures.inc({ part: name });
      this.#ctx.log.warn({ err, part: name }, 'metrics not read');
    }
  }

  #gauge(name: string, help: string, labelNames: readonly string[] = []): Gauge {
    return new Gauge({ name, help, labelNames: [...labelNames], registers: [this.#registry] });
  }

  #payments(): Reading {
    const labelNames = ['environment'];
    const due = this.#gauge('dues_payments_due', 'Payments that are due now and not claimed.', labelNames);
    const overdue = this.#gauge(
      'dues_payments_overdue',
      'Payments that were due more than a minute ago and are not collected.',
      labelNames,
    );
    const lag = this.#gauge(
      'dues_collection_lag_seconds',
      'Seconds since the due date of the oldest overdue payment.',
      labelNames,
    );
    const open = this.#gauge(
      'dues_transactions_open',
      'Sent transactions whose outcome is not known yet.',
      labelNames,
    );
    return {
      name: 'payments',
      gauges: [due, overdue, lag, open],
      read: async () => {
        for (const environment of Object.keys(this.#ctx.chain) as Environment[]) {
          const waiting = await paymentsWaiting(this.#ctx, environment);
          due.set({ environment }, waiting.due);
          overdue.set({ environment }, waiting.overdue);
          lag.set({ environment }, waiting.lagSeconds);
          open.set({ environment }, waiting.openTransactions);
        }
      },
    };
  }

  #webhooks(): Reading {
    const waiting = this.#gauge('dues_webhooks_waiting', 'Pending deliveries.');
    const lag = this.#gauge('dues_webhook_lag_seconds', 'Seconds that the oldest due delivery has waited.');
    const unrelayed = this.#gauge('dues_events_unrelayed', 'Events in the outbox that are not relayed yet.');
    const progress = { place: outboxStart };
    return {
      name: 'webhooks',
      gauges: [waiting, lag, unrelayed],
      read: async () => {
        const found = await webhooksWaiting(this.#ctx, progress);
        waiting.set(found.waiting);
        lag.set(found.lagSeconds);
        unrelayed.set(found.unrelayed);
      },
    };
  }

  #mails(): Reading {
    const waiting = this.#gauge('dues_mails_waiting', 'Mails that are not sent yet.');
    const lag = this.#gauge('dues_mail_lag_seconds', 'Seconds that the oldest due mail has waited.');
    return {
      name: 'mails',
      gauges: [waiting, lag],
      read: async () => {
        const found = await mailsWaiting(this.#ctx);
        waiting.set(found.waiting);
        lag.set(found.lagSeconds);
      },
    };
  }

  #queues(): Reading {
    const depth = this.#gauge('dues_jobs', 'Jobs in the queues, by name and state.', ['job', 'state']);
    const oldest = this.#gauge('dues_job_oldest_seconds', 'Seconds that the oldest waiting job has waited.', [
      'job',
    ]);
    return {
      name: 'queues',
      gauges: [depth, oldest],
      read: async () => {
        const waiting = new Set<JobName>();
        for (const { job, state, count } of await this.#ctx.jobs.depths()) {
          depth.set({ job, state }, count);
          if (state === 'waiting') oldest.set({ job }, 0);
          if (state === 'waiting' && count > 0) waiting.add(job);
        }
        if (waiting.size === 0) return;
        for (const { job, queue } of await this.#ctx.jobs.queues()) {
          const [first] = waiting.has(job) ? await queue.getWaiting(0, 0) : [];
          if (first) oldest.set({ job }, Math.max(0, Date.now() - plannedTimeOf(first)) / 1_000);
        }
      },
    };
  }

  #collectors(): Reading {
    const labelNames = ['environment', 'role'];
    const balance = this.#gauge(
      'dues_collector_lamports',
      'Balance of the collector in lamports.',
      labelNames,
    );
    const spent = this.#gauge(
      'dues_collector_lamports_per_day',
      'Costs per day over the last seven days, in lamports.',
      labelNames,
    );
    const daysLeft = this.#gauge(
      'dues_collector_days_left',
      'Days that the balance lasts at the rate of the last seven days.',
      labelNames,
    );
    return {
      name: 'collectors',
      gauges: [balance, spent, daysLeft],
      read: async () => {
        for (const chain of Object.values(this.#ctx.chain)) {
          for (const state of await readCollectors(this.#ctx, chain)) {
            const labels = { environment: state.environment, role: state.role };
            balance.set(labels, Number(state.lamports));
            spent.set(labels, Number(state.lamportsPerDay ?? 0n));
            if (state.daysLeft !== null) daysLeft.set(labels, state.daysLeft);
          }
        }
      },
    };
  }

  #sponsored(): Reading {
    const labelNames = ['environment'];
    const spent = this.#gauge(
      'dues_sponsored_lamports',
      'Lamports that the collector has paid or reserved for customers without SOL in the last 24 hours.',
      labelNames,
    );
    const budget = this.#gauge(
      'dues_sponsored_budget_lamports',
      'Maximum lamports that the collector pays for customers without SOL in 24 hours.',
      labelNames,
    );
    return {
      name: 'sponsored',
      gauges: [spent, budget],
      read: async () => {
        const { db, clock, chain } = this.#ctx;
        for (const { environment, config } of Object.values(chain)) {
          spent.set({ environment }, Number(await sponsoredSince(db, { environment }, clock.now())));
          budget.set({ environment }, Number(config.maxSponsoredPerDay));
        }
      },
    };
  }

  #clocks(): Reading {
    const ahead = this.#gauge(
      'dues_clock_ahead_seconds',
      "Seconds that our clock is ahead of the cluster's.",
      ['environment'],
    );
    return {
      name: 'clocks',
      gauges: [ahead],
      read: async () => {
        for (const chain of Object.values(this.#ctx.chain)) {
          ahead.set({ environment: chain.environment }, await clockAhead(this.#ctx, chain));
        }
      },
    };
  }

  #stream(): Reading {
    const labelNames = ['environment'];
    const position = this.#gauge(
      'dues_stream_slot',
      'The slot up to which the mirror is complete.',
      labelNames,
    );
    const behind = this.#gauge(
      'dues_stream_slots_behind',
      'Slots that the mirror is behind the cluster.',
      labelNames,
    );
    const unapplied = this.#gauge(
      'dues_unapplied_updates',
      'Updates that were set aside and are not applied yet.',
      labelNames,
    );
    return {
      name: 'stream',
      gauges: [position, behind, unapplied],
      read: async () => {
        for (const chain of Object.values(this.#ctx.chain)) {
          const { environment } = chain;
          const lag = await readStreamLag(this.#ctx, chain);
          unapplied.set({ environment }, lag.unapplied);
          if (lag.position !== null) position.set({ environment }, Number(lag.position));
          if (lag.slotsBehind !== null) behind.set({ environment }, lag.slotsBehind);
        }
      },
    };
  }
}
