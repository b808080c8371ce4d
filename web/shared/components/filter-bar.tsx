import { useEffect, useId, useRef, useState } from 'react';
import { useNewest } from '../api/use-newest.ts';
import { labels } from '../text/labels.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

export type Filter<Name extends string = string> =
  | {
      readonly name: Name;
      readonly kind: 'text';
      readonly label: string;
      readonly placeholder?: string;
      /** For values of a few characters: the field is narrow. */
      readonly isShort?: boolean;
      /**
       * Whether a text is a whole value, for a filter that takes nothing else. Other texts are
       * searched only after Enter, or when the field loses the focus.
       */
      readonly isWhole?: (text: string) => boolean;
    }
  | { readonly name: Name; readonly kind: 'date'; readonly label: string }
  | {
      readonly name: Name;
      readonly kind: 'select';
      readonly label: string;
      /** The label of the empty choice; `All` without it. */
      readonly unset?: string;
      readonly options: readonly { readonly value: string; readonly label: string }[];
    };

interface FilterBarProps<Name extends string> {
  readonly filters: readonly Filter<Name>[];
  /** The values in the URL. */
  readonly values: Readonly<Partial<Record<Name, string | undefined>>>;
  /**
   * Puts changed values into the URL; the list returns to its first page. The promise is fulfilled
   * when the page has the new URL. With `replace`, the history keeps no entry of the previous URL.
   */
  readonly onChange: (
    changed: Partial<Record<Name, string | undefined>>,
    replace?: boolean,
  ) => Promise<unknown>;
  /** Whether the rows of the values in the URL are still being read. */
  readonly isBusy: boolean;
}

/** Maximum filters on a phone. If there are more, all except the first are behind a button. */
const MAX_UNFOLDED = 2;

const controlClass =
  'min-h-8 rounded-md border border-edge bg-surface px-2 py-1 text-ink placeholder:text-soft max-sm:w-full max-sm:text-base';

/**
 * The filters of a list. They are in the URL, so that a filtered list can be shared and reloaded.
 */
export function FilterBar<Name extends string>(props: FilterBarProps<Name>) {
  const { filters, values, onChange, isBusy } = props;
  const [isOpen, setOpen] = useState(false);
  const isSet = ({ name }: Filter<Name>) => values[name] !== undefined;
  const isFiltered = filters.some(isSet);
  const folded = filters.length > MAX_UNFOLDED ? filters.slice(1) : [];
  const foldedSet = folded.filter(isSet).length;
  const set = (name: Name, value: string, replace: boolean) =>
    onChange({ [name]: value || undefined } as Partial<Record<Name, string | undefined>>, replace);
  return (
    <search aria-label={labels.filters} className="mb-4 flex flex-wrap items-end gap-2">
      {filters.map((filter) => (
        <FilterControl
          key={filter.name}
          filter={filter}
          value={values[filter.name] ?? ''}
          isFolded={!isOpen && folded.includes(filter)}
          isBusy={isBusy}
          onChange={(value, replace) => set(filter.name, value, replace)}
        />
      ))}
      {folded.length > 0 && (
        <Button className="sm:hidden" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? labels.fewerFilters : labels.moreFilters(foldedSet)}
        </Button>
      )}
      {isFiltered && (
        <Button
          kind="plain"
          icon="close"
          onClick={() =>
            onChange(
              Object.fromEntries(filters.map(({ name }) => [name, undefined])) as Partial<
                Record<Name, undefined>
              >,
            )
          }
        >
          {labels.clearFilters}
        </Button>
      )}
    </search>
  );
}

interface ControlProps {
  readonly filter: Filter;
  readonly value: string;
  /** Not shown on phones. */
  readonly isFolded: boolean;
  readonly isBusy: boolean;
  readonly onChange: (value: string, replace: boolean) => Promise<unknown>;
}

function FilterControl(props: ControlProps) {
  const { filter, value, isFolded, onChange } = props;
  const id = useId();
  if (filter.kind === 'text') return <TextFilter {...props} />;
  return (
    <div className={isFolded ? 'max-sm:hidden' : 'max-sm:min-w-32 max-sm:flex-1'}>
      <label htmlFor={id} className="mb-0.5 block text-xs text-soft">
        {filter.label}
      </label>
      {filter.kind === 'select' ? (
        <select
          id={id}
          value={value}
          onChange={({ target }) => onChange(target.value, false)}
          className={`${controlClass} sm:max-w-40`}
        >
          <option value="">{filter.unset ?? labels.all}</option>
          {filter.options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      ) : (
        <input
          id={id}
          type="date"
          value={value}
          onChange={({ target }) => onChange(target.value, false)}
          className={controlClass}
        />
      )}
    </div>
  );
}

/** The list is read at the first character, and again with what was typed in the meantime. */
function TextFilter({ filter, value, isFolded, isBusy, onChange }: ControlProps) {
  const id = useId();
  const [typed, setTyped] = useState(value);
  const [isSending, setSending] = useState(false);
  const [isDone, setDone] = useState(false);
  const isWhole = filter.kind === 'text' ? filter.isWhole : undefined;
  const text = typed.trim();
  const isSearched = text === '' || isDone || isWhole?.(text) !== false;
  const newest = useNewest(isSearched ? text : value, isBusy || isSending);
  const sent = useRef(value);
  // The URL may change in other ways: by going back, or by "Clear filters".
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    setTyped(value);
  }, [value]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only typing changes the list
  useEffect(() => {
    if (newest === sent.current) return;
    sent.current = newest;
    setSending(true);
    // Going back leads to the list before the typing, not to each letter.
    void onChange(newest, value !== '').finally(() => setSending(false));
  }, [newest]);
  const isShort = filter.kind === 'text' && filter.isShort;
  const onPhones = isFolded ? 'max-sm:hidden' : isShort ? 'max-sm:min-w-32 max-sm:flex-1' : 'max-sm:w-full';
  return (
    <div className={`${onPhones} ${isShort ? 'sm:w-32' : 'sm:w-64'}`}>
      <label htmlFor={id} className="mb-0.5 block text-xs text-soft">
        {filter.label}
      </label>
      <div className="relative">
        <Icon name="search" className="absolute top-2 left-2 size-4 text-soft" />
        <input
          id={id}
          type="search"
          value={typed}
          placeholder={filter.kind === 'text' ? filter.placeholder : undefined}
          onChange={({ target }) => {
            setTyped(target.value);
            setDone(false);
          }}
          onBlur={() => setDone(true)}
          onKeyDown={({ key }) => key === 'Enter' && setDone(true)}
          className={`${controlClass} w-full pl-8`}
        />
      </div>
    </div>
  );
}
