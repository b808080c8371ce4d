import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useId, useRef, useState } from 'react';
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
import { useActions } from './use-actions.ts';

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
  /** The kind of object; null for an action and a page. */
  readonly kind: string | null;
  readonly detail: string | null;
  /** The keys that do the same outside the menu. */
  readonly keys?: string;
  readonly open: () => unknown;
}

/** Shorter texts would have too many hits; receipt numbers may be shorter. */
const MIN_LENGTH = 3;
const isLongEnough = (text: string) => text.length >= MIN_LENGTH || /^#?\d+$/.test(text);
const MAX_LENGTH = 255;

interface CommandMenuProps {
  readonly onHelp: () => void;
  readonly onClose: () => void;
}

/**
 * The menu of the whole dashboard, for the keyboard alone: actions and pages by name, and the
 * merchant's objects by id, email, wallet or signature.
 */
export function CommandMenu({ onHelp, onClose }: CommandMenuProps) {
  const navigate = useNavigate();
  const actions = useActions({ onHelp });
  const input = useRef<HTMLInputElement>(null);
  const openHit = useOpenHit();
  const id = useId();
  const [typed, setTyped] = useState('');
  const [isSearching, setSearching] = useState(false);
  const text = useNewest(typed.trim(), isSearching);
  const { data, isFetching, isPlaceholderData } = useQuery(
    askOptions(SEARCH, { text }, { enabled: isLongEnough(text), keepsPrevious: true }),
  );
  if (isSearching !== isFetching) setSearching(isFetching);
  // The hits of the previous text may still be shown: Enter does not open them, and waits.
  const isSettled = text === typed.trim() && !isPlaceholderData && !isFetching;
  const [isAwaited, setAwaited] = useState(false);
  const lowerCased = typed.trim().toLowerCase();
  const named: readonly Option[] = [
    ...actions.map((action) => ({ ...action, kind: null, detail: null })),
    ...PAGES.map(({ to, icon, label, key }) => ({
      key: to,
      icon,
      label,
      kind: null,
      detail: null,
      keys: `g ${key}`,
      open: () => navigate({ to }),
    })),
  ];
  const hits = isLongEnough(lowerCased) ? (data?.search ?? []) : [];
  const options = [...bestFirst(named, lowerCased), ...hits.flatMap((hit) => openHit(hit) ?? [])];
  const choose = (option: Option | undefined) => {
    if (!option) return;
    onClose();
    // The closed menu first gives the focus back: what opens next takes it from there.
    setTimeout(option.open);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the arrival of the hits opens one
  useEffect(() => {
    if (!isAwaited || !isSettled) return;
    setAwaited(false);
    choose(options[0]);
  }, [isAwaited, isSettled]);
  return (
    <Dialog title={shell.menu} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const first = isSettled ? options[0] : options.find(({ kind }) => kind === null);
          choose(first);
          setAwaited(!first && !isSettled);
        }}
        onKeyDown={(event) => {
          // Home, End and the left and right arrows move the cursor in the text.
          if (event.key === 'ArrowDown' || event.key === 'ArrowUp') moveFocus('[data-option]')(event);
          // Whoever types while an option has the focus goes on with the text.
          else if (event.key.length === 1 && event.key !== ' ') input.current?.focus();
        }}
      >
        <label htmlFor={id} className="sr-only">
          {shell.searchLabel}
        </label>
        <input
          ref={input}
          id={id}
          data-option
          autoComplete="off"
          maxLength={MAX_LENGTH}
          placeholder={shell.searchPlaceholder}
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value);
            setAwaited(false);
          }}
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
                {option.keys && (
                  <kbd className="font-mono text-xs text-soft max-lg:hidden">{option.keys}</kbd>
                )}
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

/**
 * The options whose label contains the text: first those that begin with it, then those with a word
 * that does. Without a text, all of them.
 */
function bestFirst(options: readonly Option[], text: string): readonly Option[] {
  const rankOf = ({ label }: Option) => {
    const position = ` ${label.toLowerCase()}`.indexOf(` ${text}`);
    return position === 0 ? 0 : position > 0 ? 1 : label.toLowerCase().includes(text) ? 2 : 3;
  };
  return options.filter((option) => rankOf(option) < 3).sort((a, b) => rankOf(a) - rankOf(b));
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
      DISCOUNT: ['discount', () => navigate({ to: '/discounts/$id', params: { id } })] as const,
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
