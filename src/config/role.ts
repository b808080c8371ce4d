/** The role of a process; `dues start` has all roles. */
export type Role = 'api' | 'worker' | 'indexer';
