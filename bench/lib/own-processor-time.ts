/** Microseconds of processor time that a process has used. It is measured by the process itself. */
export interface OwnProcessorTime {
  readonly microseconds: number;
}

export function ownProcessorTime(): OwnProcessorTime {
  const { user, system } = process.cpuUsage();
  return { microseconds: user + system };
}
