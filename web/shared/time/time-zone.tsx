import { createContext, type ReactNode, useContext, useState } from 'react';

const KEY = 'dues.timeZone';
/** The browser's own zone. */
export const LOCAL = 'local';

interface Zone {
  readonly zone: string;
  readonly setZone: (zone: string) => void;
}

const ZoneContext = createContext<Zone>({ zone: LOCAL, setZone: () => undefined });

/** The zone in which all times are shown, kept in this browser. */
export function TimeZoneProvider({ children }: { readonly children: ReactNode }) {
  const [zone, setState] = useState(() => localStorage.getItem(KEY) ?? LOCAL);
  const setZone = (chosen: string) => {
    localStorage.setItem(KEY, chosen);
    setState(chosen);
  };
  return <ZoneContext value={{ zone, setZone }}>{children}</ZoneContext>;
}

export function useTimeZone(): Zone {
  return useContext(ZoneContext);
}

/** Formats times in the chosen zone: `format(date)`, `format(date, { dateStyle: 'medium' })`. */
export function useFormatTime(): (at: Date | string, options?: Intl.DateTimeFormatOptions) => string {
  const { zone } = useTimeZone();
  return (at, options = { dateStyle: 'medium', timeStyle: 'short' }) =>
    formatOf({ ...options, ...(zone !== LOCAL && { timeZone: zone }) }).format(new Date(at));
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Each format is created once: creating one takes longer than using it a hundred times. */
function formatOf(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify(options);
  const format = formats.get(key) ?? new Intl.DateTimeFormat(undefined, options);
  formats.set(key, format);
  return format;
}
