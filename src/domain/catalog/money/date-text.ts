const dateTimeFormat = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
});
const dateFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** Formats a time: `3 March 2027 at 14:05 UTC`. */
export function dateTimeText(at: Date): string {
  return `${dateTimeFormat.format(at)} UTC`;
}

/** Formats a UTC date: `3 March 2027`. */
export function dateText(at: Date): string {
  return dateFormat.format(at);
}
