import { useId } from 'react';
import { shell } from '../../shared/text/shell.ts';
import { type Theme, useTheme } from '../../shared/theme/use-theme.ts';
import { LOCAL, useTimeZone } from '../../shared/time/time-zone.tsx';

const selectClass = 'min-h-8 w-full rounded-md border border-edge bg-surface px-2 py-1';

const THEMES: readonly Theme[] = ['system', 'light', 'dark'];

/** The theme and the time zone of this browser. */
export function Preferences() {
  const [theme, setTheme] = useTheme();
  const { zone, setZone } = useTimeZone();
  const themeId = useId();
  const zoneId = useId();
  return (
    <>
      <div>
        <label htmlFor={themeId} className="mb-0.5 block text-xs text-soft">
          {shell.theme}
        </label>
        <select
          id={themeId}
          value={theme}
          onChange={({ target }) => setTheme(target.value as Theme)}
          className={selectClass}
        >
          {THEMES.map((choice) => (
            <option key={choice} value={choice}>
              {shell.themes[choice]}
            </option>
          ))}
        </select>
      </div>
      <div>
        <label htmlFor={zoneId} className="mb-0.5 block text-xs text-soft">
          {shell.timeZone}
        </label>
        <select
          id={zoneId}
          value={zone}
          onChange={({ target }) => setZone(target.value)}
          className={selectClass}
        >
          <option value={LOCAL}>{shell.timeZoneLocal}</option>
          <option value="UTC">UTC</option>
          {Intl.supportedValuesOf('timeZone')
            .filter((name) => name !== 'UTC')
            .map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
        </select>
      </div>
    </>
  );
}
