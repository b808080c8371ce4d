import { readFileSync } from 'node:fs';

/** Linux counts processor time in hundredths of a second, on every machine. */
const TICKS_PER_SECOND = 100;

/**
 * The processor time, in seconds, of this process and of all processes that it or its children
 * have started and that have ended; `null` on systems other than Linux.
 *
 * Node offers this for the process alone, so it comes from fields 14 to 17 of `/proc/self/stat`:
 * https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
 */
export function processorSeconds(): number | null {
  let stat: string;
  try {
    stat = readFileSync('/proc/self/stat', 'utf8');
  } catch {
    return null;
  }
  // The name of the program, field 2, may contain spaces. It ends with the last parenthesis.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return ticks / TICKS_PER_SECOND;
}
