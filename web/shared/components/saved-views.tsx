import { useId, useState } from 'react';
import { environment } from '../api/environment.ts';
import { views as text } from '../text/views.ts';
import { Button, buttonClass, IconButton } from './button.tsx';
import { inputClass } from './field.tsx';
import { Icon } from './icon.tsx';
import { readViews, type SavedView, writeViews } from './stored-views.ts';

interface SavedViewsProps<Search> {
  /** The list that the views belong to: `subscriptions`. */
  readonly list: string;
  /** The filters in the URL. */
  readonly search: Search;
  readonly onOpen: (search: Search) => unknown;
}

/** Named filters of a list, kept in this browser for this environment. */
export function SavedViews<Search extends object>({ list, search, onOpen }: SavedViewsProps<Search>) {
  const id = useId();
  const key = `dues.views.${environment}.${list}`;
  const [views, setViews] = useState(() => readViews(key));
  const [name, setName] = useState('');
  // A view does not include the position in the list.
  const { after: _, before: __, ...filters } = search as Record<string, unknown>;
  const isFiltered = Object.keys(filters).length > 0;
  const store = (changed: readonly SavedView[]) => setViews(writeViews(key, changed));
  const close = () => document.getElementById(id)?.hidePopover();
  return (
    <>
      <button type="button" popoverTarget={id} className={buttonClass('plain')}>
        <Icon name="bookmark" />
        {text.views}
        {views.length > 0 && <span className="text-xs text-soft tabular-nums">{views.length}</span>}
      </button>
      <div
        id={id}
        popover="auto"
        className="m-auto max-h-[80vh] w-[min(22rem,calc(100vw-2rem))] overflow-auto rounded-lg border border-line bg-surface p-4 text-ink shadow-high backdrop:bg-transparent"
      >
        <h2 className="font-semibold">{text.views}</h2>
        <p className="mb-3 text-soft">{views.length === 0 ? text.empty : text.hint}</p>
        <ul className="grid gap-px">
          {views.map((view) => (
            <li key={view.name} className="flex items-center gap-1">
              <button
                type="button"
                onClick={() => {
                  close();
                  onOpen(view.search as Search);
                }}
                className="min-h-8 min-w-0 flex-1 truncate rounded-md px-2 text-left hover:bg-sunken"
              >
                {view.name}
              </button>
              <IconButton
                icon="close"
                label={text.remove(view.name)}
                onClick={() => store(views.filter((other) => other !== view))}
              />
            </li>
          ))}
        </ul>
        <form
          className="mt-3 flex items-end gap-2 border-t border-line pt-3"
          onSubmit={(event) => {
            event.preventDefault();
            const newName = name.trim();
            if (!newName) return;
            store([...views.filter((view) => view.name !== newName), { name: newName, search: filters }]);
            setName('');
          }}
        >
          <div className="min-w-0 flex-1">
            <label htmlFor={`${id}-name`} className="mb-1 block font-medium">
              {text.name}
            </label>
            <input
              id={`${id}-name`}
              value={name}
              maxLength={60}
              autoComplete="off"
              disabled={!isFiltered}
              placeholder={isFiltered ? text.placeholder : text.filterFirst}
              onChange={({ target }) => setName(target.value)}
              className={inputClass}
            />
          </div>
          <Button type="submit" disabled={!isFiltered}>
            {text.save}
          </Button>
        </form>
      </div>
    </>
  );
}
