/** A bound of a figure, such as `<= 250`. */
type Target = `${'<' | '<=' | '>='} ${number}`;

/** A figure that a bench measures. */
export interface Figure {
  readonly what: string;
  /** Without one the figure explains others. */
  readonly target?: Target;
  /** The measurement of the same run with which the figure is compared, or by which it is divided. */
  readonly comparedWith?: string;
}

/** The figures of a bench by name: the only place of their targets. */
export type Figures = Readonly<Record<string, Figure>>;

/** The measured figures of a run. Those of other parts are missing; null was not measurable here. */
export type Measured<Table extends Figures> = { readonly [Name in keyof Table]?: number | null };

/** Measures all parts of a bench in order, or only one. */
export async function measureParts<Part extends string, Table extends Figures>(
  parts: Readonly<Record<Part, () => Promise<Measured<Table>>>>,
  only: Part | undefined,
): Promise<Measured<Table>> {
  let measured: Measured<Table> = {};
  for (const part of Object.keys(parts) as Part[]) {
    if (only !== undefined && only !== part) continue;
    console.log(`measuring: ${part}`);
    measured = { ...measured, ...(await parts[part]()) };
  }
  return measured;
}

/**
 * Prints the figures with their targets, and last all figures as one line of JSON. A missed target
 * makes the process exit with 1.
 */
export function report(figures: Figures, measured: Measured<Figures>): void {
  const rows = Object.entries(figures).flatMap(([name, { what, target }]) => {
    const figure = measured[name];
    if (figure === undefined) return [];
    if (figure !== null && target && !isMet(figure, target)) process.exitCode = 1;
    return [[name, { figure, target: target ?? '', what }] as const];
  });
  console.table(Object.fromEntries(rows));
  console.log(JSON.stringify(measured));
}

/** Whether a figure is within its target. */
export function isMet(figure: number, target: Target): boolean {
  const [comparison, bound] = target.split(' ');
  if (comparison === '>=') return figure >= Number(bound);
  return comparison === '<' ? figure < Number(bound) : figure <= Number(bound);
}
