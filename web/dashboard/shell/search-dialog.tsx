import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useId, useState } from 'react';
import type { SearchQuery } from '../../generated/graphql.ts';
import { graphql } from '../../shared/api/graphql.ts';
import { askOptions } from '../../shared/api/query.ts';
import { useNewest } from '../../shared/api/use-newest.ts';
import { Dialog } from '../../shared/components/dialog.tsx';
import { inputClass } from '../../shared/components/field.tsx';
import { Icon, type IconName } from '../../shared/components/icon.tsx';
import { moveFocus } from '../../shared/components/move-focus.ts';
import { shell } from '../../shared/text/shell.ts';
import { PAGES } from './navigation.ts';

const SEARCH = graphql(/* GraphQL */ `
  query Search($text: String!) {
    search(text: $text) {
      id
      kind
      label
      detail
    }
  }
`);

type Hit = SearchQuery['search'][number];

interface Option {
  readonly key: string;
  readonly icon: IconName;
  readonly label: string;
  /** The kind of object; null for a page. */
  readonly kind: string | null;
  readonly detail: string | null;
  readonly open: () => unknown;
}

/** Shorter texts would have too many hits; receipt numbers may be shorter. */
const MIN_LENGTH = 3;
const isLongEnough = (text: string) => text.length >= MIN_LENGTH || /^#?\d+$/.test(text);
const MAX_LENGTH = 255;

/** Searches pages by name, and the merchant's objects by id, email, wallet or signature. */
export function SearchDialog({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate();
  const openHit = useOpenHit();
  const id = useId();
  const [typed, setTyped] = useState('');
  const [isSearching, setSearching] = useState(false);
  const text = useNewest(typed.trim(), isSearching);
  const { data, isFetching, isPlaceholderData } = useQuery(
    askOptions(SEARCH, { text }, { enabled: isLongEnough(text), keepsPrevious: true }),
  );
  if (isSearching !== isFetching) setSearching(isFetching);
  // The hits of the previous text may still be shown: Enter does not open them.
  const isSettled = text === typed.trim() && !isPlaceholderData;
  const lowerCased = typed.trim().toLowerCase();
  const pages = PAGES.filter(({ label }) => label.toLowerCase().includes(lowerCased)).map(
    ({ to, icon, label }): Option => ({
      key: to,
      icon,
      label,
      kind: null,
      detail: null,
      open: () => navigate({ to }),
    }),
  );
  const hits = isLongEnough(lowerCased) ? (data?.search ?? []) : [];
  const options = [...pages, ...hits.flatMap((hit) => openHit(hit) ?? [])];
  const choose = (option: Option | undefined) => {
    if (!option) return;
    onClose();
    option.open();
  };
  return (
    <Dialog title={shell.search} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          choose(isSettled ? options[0] : options.find(({ kind }) => kind === null));
        }}
        onKeyDown={(event) => {
          // Home, End and the left and right arrows move the cursor in the text.
          if (event.key === 'ArrowDown' || event.key === 'ArrowUp') moveFocus('[data-option]')(event);
        }}
      >
        <label htmlFor={id} className="sr-only">
          {shell.searchPlaceholder}
        </label>
        <input
          id={id}
          data-option
          autoComplete="off"
          maxLength={MAX_LENGTH}
          placeholder={shell.searchPlaceholder}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          className={inputClass}
        />
        <ul className="mt-2 max-h-80 overflow-auto" aria-busy={isFetching}>
          {options.map((option) => (
            <li key={option.key}>
              <button
                type="button"
                data-option
                onClick={() => choose(option)}
                className="flex min-h-9 w-full items-center gap-2.5 rounded-md px-2 py-1 text-left -outline-offset-2 hover:bg-sunken"
              >
                <Icon name={option.icon} className="size-4 text-soft" />
                <span className="min-w-0 flex-1">
                  {option.kind && <span className="text-soft">{option.kind} </span>}
                  {option.label}
                  {option.detail && <span className="block truncate text-xs text-soft">{option.detail}</span>}
                </span>
              </button>
            </li>
          ))}
        </ul>
        <p role="status" className="p-2 text-soft empty:hidden">
          {options.length === 0 && !isFetching && isSettled && shell.searchEmpty}
        </p>
      </form>
    </Dialog>
  );
}

/** Makes an option of a hit; null for a kind without a page. */
function useOpenHit(): (hit: Hit) => Option | null {
  const navigate = useNavigate();
  return ({ id, kind, label, detail }) => {
    const [icon, open] = {
      PLAN: ['plans', () => navigate({ to: '/plans/$planId', params: { planId: id } })] as const,
      SUBSCRIPTION: ['subscriptions', () => navigate({ to: '/subscriptions/$id', params: { id } })] as const,
      PAYMENT: ['payments', () => navigate({ to: '/payments/$id', params: { id } })] as const,
      CUSTOMER: ['customers', () => navigate({ to: '/customers/$id', params: { id } })] as const,
      EVENT: ['events', () => navigate({ to: '/events/$id', params: { id } })] as const,
      WEBHOOK_ENDPOINT: ['webhooks', () => navigate({ to: '/webhooks/$id', params: { id } })] as const,
      WEBHOOK_DELIVERY: ['webhooks', () => navigate({ to: '/deliveries/$id', params: { id } })] as const,
      RECEIPT: ['receipt', () => navigate({ to: '/receipts', search: { number: id } })] as const,
      API_KEY: ['key', () => navigate({ to: '/keys' })] as const,
      CHECKOUT_SESSION: [undefined, undefined] as const,
    }[kind];
    if (!open) return null;
    return { key: `${kind} ${id}`, icon, label, kind: shell.searchKinds[kind], detail: detail ?? null, open };
  };
}
