const MAX_PLAN_ID_CHARACTERS = 60;

/** Derives a plan id from the plan's name: `Pro, monthly` gives `pro-monthly`. */
export function planIdOf(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_PLAN_ID_CHARACTERS)
    .replace(/^-+|-+$/g, '');
}
