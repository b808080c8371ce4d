/** Space around the data of a chart, for its axes. */
export const MARGIN = { top: 8, right: 8, bottom: 24, left: 44 } as const;
