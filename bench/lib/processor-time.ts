import { readdirSync, readFileSync } from 'node:fs';
import type { Db } from '../../src/db/db.ts';

/** Linux counts processor time in hundredths of a second, on every machine. */
const TICK_MS = 10;

/** Processor time so far, in milliseconds. */
export interface ProcessorTime {
  readonly worker: number;
  readonly postgresql: number;
}

/**
 * Returns a function that reads the processor time of a worker and of the PostgreSQL server, without the
 * connections that are open now: those of the bench. Call it before the worker starts. Null on systems other
 * than Linux.
 */
export async function watchProcessorTime(db: Db): Promise<((workerPid: number) => ProcessorTime) | null> {
  const open = await db.$queryRaw<{ pid: number; isThis: boolean }[]>`
    SELECT "pid", "pid" = pg_backend_pid() AS "isThis" FROM pg_stat_activity WHERE "backend_type" = 'client backend'`;
  const left = new Set(open.map(({ pid }) => pid));
  const server = readTimes(open.find(({ isThis }) => isThis)?.pid ?? 0)?.parent;
  if (server === undefined) return null;
  return (workerPid) => ({
    worker: processorTimeOf(workerPid),
    postgresql: allPids().reduce((sum, pid) => {
      const { parent, own = 0, ended = 0 } = readTimes(pid) ?? {};
      if (pid === server) return sum + own + ended;
      return parent === server && !left.has(pid) ? sum + own : sum;
    }, 0),
  });
}

/** Processor time of a process so far, in milliseconds; 0 on systems other than Linux. */
export function processorTimeOf(pid: number): number {
  return readTimes(pid)?.own ?? 0;
}

function allPids(): number[] {
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
}

/**
 * A process's parent, its own processor time and that of its children that have ended: fields 4 and 14 to
 * 17 of `/proc/<pid>/stat`, https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html. Undefined if it has
 * ended.
 */
function readTimes(pid: number): { parent: number; own: number; ended: number } | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  // The name of the program, field 2, may contain spaces. It ends with the last parenthesis.
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const ticks = (from: number) => ((fields[from] ?? 0) + (fields[from + 1] ?? 0)) * TICK_MS;
  return { parent: fields[1] ?? 0, own: ticks(11), ended: ticks(13) };
}
