const dateTimeFormat = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
});
const dateFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** `3 March 2027 at 14:05 UTC`. */
export function dateTimeText(at: Date): string {
  return `${dateTimeFormat.format(at)} UTC`;
}

/** `3 March 2027`, in UTC. */
export function dateText(at: Date): string {
  return dateFormat.format(at);
}
