import { Command, InvalidArgumentError } from 'commander';
import { queuesFromEnv } from '../../src/config/part-from-env.ts';
import { type RedisConfig, redisOf } from '../../src/config/redis-config.ts';
import { assertRedisReachable } from '../../src/jobs/assert-redis-reachable.ts';
import { type JobName, jobNames } from '../../src/jobs/catalog.ts';
import { createJobs, type Jobs } from '../../src/jobs/jobs.ts';
import { createLog } from '../../src/observability/log.ts';
import { type QueueState, readQueueStates } from '../../src/operations/queue-states.ts';
import { assertDatabaseReachable } from '../../src/postgres/assert-database-reachable.ts';
import { exitOnFailure } from '../expected-failure.ts';
import { readConfig } from '../read-config.ts';
import { tableLines } from '../table-lines.ts';
import { untilStopped } from '../until-stopped.ts';

const REFRESH_MS = 1_000;

/** `dues queues`: shows the job queues; `pause` and `resume` stop and start one for all workers. */
export function queuesCommand(): Command {
  const queues = new Command('queues')
    .option('--watch', 'refresh the table every second, until stopped')
    .action(({ watch = false }: { watch?: boolean }) =>
      exitOnFailure('queues', withJobs(watch ? watchQueues : printQueues)),
    );
  for (const [verb, description] of [
    ['pause', 'stop workers from taking jobs from a queue; running jobs are finished'],
    ['resume', 'let workers take jobs from a queue again'],
  ] as const) {
    const command = new Command(verb)
      .description(description)
      .argument('<name>', 'name of the queue', parseQueueName);
    queues.addCommand(
      command.action((name: JobName) => exitOnFailure(`queues ${verb}`, withJobs(change(verb, name)))),
    );
  }
  return queues;
}

function parseQueueName(text: string): JobName {
  const name = jobNames.find((jobName) => jobName === text);
  if (!name) throw new InvalidArgumentError(`Queues are ${jobNames.join(', ')}.`);
  return name;
}

/** Opens only the queues; no cluster is needed. */
export async function withJobs(work: (jobs: Jobs, config: RedisConfig) => Promise<void>): Promise<void> {
  const config = readConfig(queuesFromEnv);
  const redis = redisOf(config);
  await (redis ? assertRedisReachable(redis) : assertDatabaseReachable(config.databaseUrl));
  const jobs = createJobs(config, createLog('silent'));
  try {
    await work(jobs, config);
  } finally {
    await jobs.close();
  }
}

async function printQueues(jobs: Jobs): Promise<void> {
  console.log(queueLines(await readQueueStates(jobs)).join('\n'));
}

async function watchQueues(jobs: Jobs): Promise<void> {
  let isOver = false;
  const stopped = untilStopped().then(() => {
    isOver = true;
  });
  while (!isOver) {
    const lines = queueLines(await readQueueStates(jobs));
    // Clears the terminal, if stdout is one.
    if (process.stdout.isTTY) process.stdout.write('\x1b[2J\x1b[H');
    console.log([new Date().toISOString(), ...lines].join('\n'));
    const timer = Promise.withResolvers<void>();
    const timeout = setTimeout(timer.resolve, REFRESH_MS);
    await Promise.race([timer.promise, stopped]);
    clearTimeout(timeout);
  }
}

function queueLines(states: readonly QueueState[]): string[] {
  const rows = states.map((state) => [
    state.job,
    state.isPaused ? 'paused' : 'running',
    state.nextAt?.toISOString() ?? '-',
    ...[state.waiting, state.active, state.delayed, state.failed, state.donePerMinute].map(String),
  ]);
  const headings = [
    'queue',
    'state',
    'next delayed job',
    'waiting',
    'active',
    'delayed',
    'failed',
    'done/min',
  ];
  return tableLines(headings, rows, 5);
}

function change(verb: 'pause' | 'resume', name: JobName): (jobs: Jobs) => Promise<void> {
  return async (jobs) => {
    const queues = await jobs.queues();
    const found = queues.find(({ job }) => job === name);
    await found?.queue[verb]();
    const state = verb === 'pause' ? 'paused' : 'running';
    console.log(`${name} is ${state} for all workers`);
  };
}
