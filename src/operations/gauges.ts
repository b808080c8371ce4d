import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { AppContext } from '../app.ts';
import type { Chain } from '../chain/chain.ts';
import type { Role } from '../config/role.ts';
import { clockAhead } from '../domain/chain-state/clock/clock-agrees.ts';
import { readCollectors, readFeePayers } from '../domain/chain-state/collector/read-collectors.ts';
import { sponsoredSince } from '../domain/checkout/sponsoring/sponsor-budget.ts';
import { outboxStart } from '../domain/messages/event/outbox-position.ts';
import type { Environment } from '../generated/prisma/client.ts';
import { type JobName, jobNames } from '../jobs/catalog.ts';
import { scheduledTimeOf } from '../jobs/worker.ts';
import {
  counterRegistry,
  initializeApiCounters,
  initializeCounters,
} from '../observability/metrics/counters.ts';
import { readCommitWaits } from './commit-waits.ts';
import type { Checks } from './health.ts';
import { readStreamLag } from './stream-lag.ts';
import { TimedReads } from './timed-reads.ts';
import { mailsWaiting, paymentsWaiting, webhooksWaiting } from './work-waiting.ts';

type SetGauge = (gauge: Gauge, value: number, labels?: Readonly<Record<string, string>>) => void;

/**
 * A part of a scrape. What it sets is served only if it ends in time without an error. A part with
 * `readChain` is read for each cluster separately, so that one hides no other.
 */
type Reading = { readonly name: string; readonly gauges: readonly Gauge[] } & (
  | { read(set: SetGauge): Promise<void> }
  | { readChain(set: SetGauge, chain: Chain): Promise<void> }
);

/**
 * The metrics that are measured at a scrape, in addition to the counters of the process. They
 * depend on the roles of the process. If one part fails or does not answer in time (for example
 * because a cluster is unreachable), its metrics are absent, and the others are still returned.
 */
export class Gauges {
  readonly #ctx: AppContext;
  readonly #registry = new Registry();
  readonly #readings: readonly Reading[];
  readonly #unlabelled = new Set<Gauge>();
  readonly #reads = new TimedReads();
  readonly #readChecks: () => Promise<Checks>;
  readonly #failures: Counter;

  constructor(ctx: AppContext, roles: readonly Role[], readChecks: () => Promise<Checks>) {
    this.#ctx = ctx;
    this.#readChecks = readChecks;
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
            this.#commits(),
            this.#payments(),
            this.#webhooks(),
            this.#mails(),
            this.#queues(),
            this.#collectors(),
            this.#feePayers(),
            this.#sponsored(),
          ]
        : []),
      ...(roles.includes('indexer') ? [this.#stream()] : []),
      this.#clocks(),
      this.#checks(),
    ];
  }

  /** Returns all metrics in Prometheus' text format. Never rejects. */
  async scrape(): Promise<string> {
    await Promise.all(this.#readings.map((reading) => this.#refresh(reading)));
    return (await Promise.all([counterRegistry.metrics(), this.#registry.metrics()])).join('\n');
  }

  async #refresh(reading: Reading): Promise<void> {
    for (const gauge of reading.gauges) {
      gauge.reset();
      // `reset` sets a gauge without labels to 0, which is a value.
      if (this.#unlabelled.has(gauge)) gauge.remove();
    }
    if ('read' in reading) return this.#readPart(reading.name, reading.name, (set) => reading.read(set));
    const chains = Object.values(this.#ctx.chain).map((chain) =>
      this.#readPart(reading.name, `${reading.name} ${chain.environment}`, (set) =>
        reading.readChain(set, chain),
      ),
    );
    await Promise.all(chains);
  }

  async #readPart(part: string, name: string, read: (set: SetGauge) => Promise<void>): Promise<void> {
    try {
      const values = await this.#reads.read(name, async () => {
        const found: Parameters<SetGauge>[] = [];
        await read((...value) => void found.push(value));
        return found;
      });
      for (const [gauge, value, labels = {}] of values) gauge.set(labels, value);
    } catch (err) {
      this.#failures.inc({ part });
      this.#ctx.log.warn({ err, part: name }, 'metrics not read');
    }
  }

  #gauge(name: string, help: string, labelNames: readonly string[] = []): Gauge {
    const gauge = new Gauge({ name, help, labelNames: [...labelNames], registers: [this.#registry] });
    if (labelNames.length === 0) this.#unlabelled.add(gauge);
    return gauge;
  }

  #commits(): Reading {
    const waiting = this.#gauge('dues_commits_waiting', 'Commits that wait for a standby of PostgreSQL.');
    const longest = this.#gauge(
      'dues_commit_wait_seconds',
      'Seconds that the oldest commit has waited for a standby; 0 if none waits.',
    );
    return {
      name: 'commits',
      gauges: [waiting, longest],
      read: async (set) => {
        const waits = await readCommitWaits(this.#ctx.config.databaseUrl);
        set(waiting, waits.count);
        set(longest, waits.longestSeconds);
      },
    };
  }

  #payments(): Reading {
    const labelNames = ['environment'];
    const due = this.#gauge('dues_payments_due', 'Payments that are due now and not claimed.', labelNames);
    const overdue = this.#gauge(
      'dues_payments_overdue',
      'Payments that should have been attempted more than a minute ago and are not collected.',
      labelNames,
    );
    const lag = this.#gauge(
      'dues_collection_lag_seconds',
      'Seconds since the oldest overdue payment should have been attempted.',
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
      readChain: async (set, { environment }) => {
        const waiting = await paymentsWaiting(this.#ctx, environment);
        set(due, waiting.due, { environment });
        set(overdue, waiting.overdue, { environment });
        set(lag, waiting.lagSeconds, { environment });
        set(open, waiting.openTransactions, { environment });
      },
    };
  }

  #webhooks(): Reading {
    const waiting = this.#gauge('dues_webhooks_waiting', 'Pending deliveries.');
    const lag = this.#gauge('dues_webhook_lag_seconds', 'Seconds that the oldest due delivery has waited.');
    const unrelayed = this.#gauge('dues_events_unrelayed', 'Events in the outbox that are not relayed yet.');
    const progress = { position: outboxStart };
    return {
      name: 'webhooks',
      gauges: [waiting, lag, unrelayed],
      read: async (set) => {
        const found = await webhooksWaiting(this.#ctx, progress);
        set(waiting, found.waiting);
        set(lag, found.lagSeconds);
        set(unrelayed, found.unrelayed);
      },
    };
  }

  #mails(): Reading {
    const waiting = this.#gauge('dues_mails_waiting', 'Mails that are not sent yet.');
    const lag = this.#gauge('dues_mail_lag_seconds', 'Seconds that the oldest due mail has waited.');
    return {
      name: 'mails',
      gauges: [waiting, lag],
      read: async (set) => {
        const found = await mailsWaiting(this.#ctx);
        set(waiting, found.waiting);
        set(lag, found.lagSeconds);
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
      read: async (set) => {
        const waiting = new Set<JobName>();
        for (const { job, state, count } of await this.#ctx.jobs.depths()) {
          set(depth, count, { job, state });
          if (state === 'waiting') set(oldest, 0, { job });
          if (state === 'waiting' && count > 0) waiting.add(job);
        }
        if (waiting.size === 0) return;
        for (const { job, queue } of await this.#ctx.jobs.queues()) {
          const [first] = waiting.has(job) ? await queue.getWaiting(0, 0) : [];
          if (first) set(oldest, Math.max(0, Date.now() - scheduledTimeOf(first)) / 1_000, { job });
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
      readChain: async (set, chain) => {
        for (const state of await readCollectors(this.#ctx, chain)) {
          const labels = { environment: state.environment, role: state.role };
          set(balance, Number(state.lamports), labels);
          set(spent, Number(state.lamportsPerDay ?? 0n), labels);
          if (state.daysLeft !== null) set(daysLeft, state.daysLeft, labels);
        }
      },
    };
  }

  #feePayers(): Reading {
    const labelNames = ['environment', 'address'];
    const balance = this.#gauge('dues_fee_payer_lamports', 'Balance of a fee payer in lamports.', labelNames);
    const spent = this.#gauge(
      'dues_fee_payer_lamports_per_day',
      'Fees per day that a fee payer paid over the last seven days, in lamports.',
      labelNames,
    );
    return {
      name: 'fee-payers',
      gauges: [balance, spent],
      readChain: async (set, chain) => {
        for (const { environment, address, lamports, lamportsPerDay } of await readFeePayers(
          this.#ctx,
          chain,
        )) {
          set(balance, Number(lamports), { environment, address });
          set(spent, Number(lamportsPerDay ?? 0n), { environment, address });
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
      readChain: async (set, { environment, config }) => {
        const { db, clock } = this.#ctx;
        set(spent, Number(await sponsoredSince(db, { environment }, clock.now())), { environment });
        set(budget, Number(config.maxSponsoredLamportsPerDay), { environment });
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
      readChain: async (set, chain) => {
        set(ahead, await clockAhead(this.#ctx, chain), { environment: chain.environment });
      },
    };
  }

  #checks(): Reading {
    const ok = this.#gauge(
      'dues_check_ok',
      'Checks of readiness: 1 if the dependency works, otherwise 0. The environment is empty if all need it.',
      ['check', 'environment'],
    );
    return {
      name: 'checks',
      gauges: [ok],
      read: async (set) => {
        for (const [name, check] of Object.entries(await this.#readChecks())) {
          const [kind = name] = name.split(' ');
          set(ok, check.ok ? 1 : 0, { check: kind, environment: check.environment ?? '' });
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
      readChain: async (set, chain) => {
        const { environment } = chain;
        const lag = await readStreamLag(this.#ctx, chain);
        set(unapplied, lag.unapplied, { environment });
        if (lag.position !== null) set(position, Number(lag.position), { environment });
        if (lag.slotsBehind !== null) set(behind, lag.slotsBehind, { environment });
      },
    };
  }
}
