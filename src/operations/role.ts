/** What a process is there for; `dues start` is there for all of it. */
export type Role = 'api' | 'worker' | 'indexer';
