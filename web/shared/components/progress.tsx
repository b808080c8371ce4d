interface ProgressProps {
  /** The name of the task that makes progress, for screen readers. */
  readonly label: string;
  readonly value: number;
  readonly max: number;
}

/** A progress bar. */
export function Progress({ label, value, max }: ProgressProps) {
  return (
    <progress
      aria-label={label}
      value={value}
      max={max}
      className="h-1.5 w-28 appearance-none overflow-hidden rounded-full bg-line [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-accent"
    />
  );
}
