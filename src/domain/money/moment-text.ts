const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** `3 March 2027 at 14:05 UTC`. */
export function momentText(at: Date): string {
  return `${moment.format(at)} UTC`;
}

/** `3 March 2027`, in UTC. */
export function dayText(at: Date): string {
  return day.format(at);
}
