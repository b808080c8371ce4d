/** A date in the customer's own words: `3 March 2027`. */
export function formatDate(at: string): string {
  return new Intl.DateTimeFormat(undefined, { dateStyle: 'long' }).format(new Date(at));
}
