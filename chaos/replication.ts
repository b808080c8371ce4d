/** How the standby of a run with a failover receives commits. */
export const REPLICATIONS = ['synchronous', 'asynchronous'] as const;

export type Replication = (typeof REPLICATIONS)[number];
