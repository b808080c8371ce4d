const MAX_PLAN_ID = 60;

/** An id of a plan made of its name: `Pro, monthly` is `pro-monthly`. */
export function planIdOf(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_PLAN_ID)
    .replace(/^-+|-+$/g, '');
}
