import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { AppContext } from '../app.ts';
import { readCollectors } from '../domain/collector/read-collectors.ts';
import { clockAhead } from '../domain/payment/clock-agrees.ts';
import type { Environment } from '../generated/prisma/client.ts';
import { counted } from '../metrics/counters.ts';
import type { Role } from './role.ts';
import { readStreamLag } from './stream-lag.ts';
import { paymentsWaiting, webhooksWaiting } from './work-waiting.ts';

/** Something that is read when somebody asks, and its gauges, which are empty where it cannot be read. */
interface Reading {
  readonly name: string;
  readonly gauges: readonly Gauge[];
  read(): Promise<void>;
}

/**
 * What is measured at the moment of a scrape, beside what the process has counted: each role tells what it is there for.
 * Where a part cannot be read (the cluster is away, say), the others are answered with nevertheless.
 */
export class Gauges {
  readonly #ctx: AppContext;
  readonly #registry = new Registry();
  readonly #readings: readonly Reading[];
  readonly #failures: Counter;

  constructor(ctx: AppContext, roles: readonly Role[]) {
    this.#ctx = ctx;
    collectDefaultMetrics({ register: this.#registry });
    this.#failures = new Counter({
      name: 'dues_scrape_failures_total',
      help: 'Parts of a scrape that could not be read, by part.',
      labelNames: ['part'],
      registers: [this.#registry],
    });
    const role = this.#gauge('dues_up', 'The roles that this process has: 1 each.', ['role']);
    for (const name of roles) role.set({ role: name }, 1);
    this.#readings = [
      ...(roles.includes('worker')
        ? [this.#payments(), this.#webhooks(), this.#queues(), this.#collectors()]
        : []),
      ...(roles.includes('indexer') ? [this.#stream()] : []),
      this.#clocks(),
    ];
  }

  /** All metrics in Prometheus' text format. Never rejects. */
  async scrape(): Promise<string> {
    await Promise.all(this.#readings.map((reading) => this.#refresh(reading)));
    return (await Promise.all([counted.metrics(), this.#registry.metrics()])).join('\n');
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
    const of = ['environment'];
    const due = this.#gauge('dues_payments_due', 'Payments to be tried now that nobody has in hand.', of);
    const overdue = this.#gauge(
      'dues_payments_overdue',
      'Those of them that have been due for a minute.',
      of,
    );
    const lag = this.#gauge(
      'dues_collection_lag_seconds',
      'For how long the oldest of them has been due.',
      of,
    );
    const open = this.#gauge('dues_transactions_open', 'Transactions sent and not answered for yet.', of);
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
    const waiting = this.#gauge('dues_webhooks_waiting', 'Deliveries that are not over.');
    const lag = this.#gauge('dues_webhook_lag_seconds', 'For how long the oldest due delivery has waited.');
    const unrelayed = this.#gauge('dues_events_unrelayed', 'Events without deliveries yet.');
    return {
      name: 'webhooks',
      gauges: [waiting, lag, unrelayed],
      read: async () => {
        const found = await webhooksWaiting(this.#ctx);
        waiting.set(found.waiting);
        lag.set(found.lagSeconds);
        unrelayed.set(found.unrelayed);
      },
    };
  }

  #queues(): Reading {
    const depth = this.#gauge('dues_jobs', 'Jobs in the queues, by name and state.', ['job', 'state']);
    return {
      name: 'queues',
      gauges: [depth],
      read: async () => {
        for (const { job, state, count } of await this.#ctx.jobs.depths()) depth.set({ job, state }, count);
      },
    };
  }

  #collectors(): Reading {
    const of = ['environment', 'role'];
    const balance = this.#gauge('dues_collector_lamports', "The collector's balance.", of);
    const spent = this.#gauge('dues_collector_lamports_per_day', 'Fees a day, of the last seven days.', of);
    const left = this.#gauge('dues_collector_days_left', 'How long it lasts at that rate.', of);
    return {
      name: 'collectors',
      gauges: [balance, spent, left],
      read: async () => {
        for (const chain of Object.values(this.#ctx.chain)) {
          for (const state of await readCollectors(this.#ctx, chain)) {
            const labels = { environment: state.environment, role: state.role };
            balance.set(labels, Number(state.lamports));
            spent.set(labels, Number(state.lamportsPerDay ?? 0n));
            if (state.daysLeft !== null) left.set(labels, state.daysLeft);
          }
        }
      },
    };
  }

  #clocks(): Reading {
    const ahead = this.#gauge('dues_clock_ahead_seconds', "How far our clock is ahead of the cluster's.", [
      'environment',
    ]);
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
    const of = ['environment'];
    const position = this.#gauge('dues_stream_slot', 'The slot up to which the chain is mirrored.', of);
    const behind = this.#gauge('dues_stream_slots_behind', 'How far the cluster is ahead of that.', of);
    const unapplied = this.#gauge('dues_unapplied_updates', 'Updates set aside that wait to be applied.', of);
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
