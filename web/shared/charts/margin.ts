/** Space around the data of a chart, for its axes. */
export const MARGIN = { top: 28, right: 8, bottom: 24, left: 44 } as const;

/** About how many steps the values of an axis have. */
export const STEPS = 3;
