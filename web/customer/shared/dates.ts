/** Formats a date in the browser's language: `3 March 2027`. */
export function formatDate(at: string): string {
  return new Intl.DateTimeFormat(undefined, { dateStyle: 'long' }).format(new Date(at));
}
