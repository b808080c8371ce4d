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
    new Intl.DateTimeFormat(undefined, {
      ...options,
      ...(zone !== LOCAL && { timeZone: zone }),
    }).format(new Date(at));
}
