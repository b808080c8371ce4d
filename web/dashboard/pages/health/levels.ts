import type { HealthPageQuery, MirrorState } from '../../../generated/graphql.ts';

export type ServiceHealth = HealthPageQuery['serviceHealth'];
export type CollectorHealth = NonNullable<ServiceHealth['collectors']>[number];

/** The severity of a state. */
export type Level = 'good' | 'warn' | 'bad';

/** Days of remaining balance below which a collector is low: an operator needs time to send SOL. */
const LOW_DAYS = 7;

export function levelOfCollector({ canPay, daysLeft }: Pick<CollectorHealth, 'canPay' | 'daysLeft'>): Level {
  if (!canPay) return 'bad';
  return daysLeft !== null && daysLeft < LOW_DAYS ? 'warn' : 'good';
}

const MIRROR_LEVELS: Readonly<Record<MirrorState, Level>> = {
  FOLLOWING: 'good',
  CHECKING: 'warn',
  BEHIND: 'warn',
  SILENT: 'bad',
  NEVER: 'bad',
};

export function levelOfMirror(state: MirrorState): Level {
  return MIRROR_LEVELS[state];
}

export function worstOf(levels: readonly Level[]): Level {
  if (levels.includes('bad')) return 'bad';
  return levels.includes('warn') ? 'warn' : 'good';
}
