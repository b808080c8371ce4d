import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';

export type ButtonKind = 'primary' | 'secondary' | 'plain' | 'danger';

const KINDS: Readonly<Record<ButtonKind, string>> = {
  primary: 'bg-brand text-on-brand border border-accent hover:brightness-110',
  secondary: 'bg-surface text-ink border border-line shadow-low hover:bg-sunken',
  plain: 'text-soft hover:bg-sunken hover:text-ink',
  danger: 'bg-bad text-on-bad hover:brightness-110',
};

/** The classes of a button, also for links that look like one. */
export function buttonClass(kind: ButtonKind = 'secondary', extra = ''): string {
  return `inline-flex min-h-8 items-center justify-center gap-1.5 rounded-md px-3 py-1 font-medium no-underline transition-colors disabled:opacity-60 aria-disabled:opacity-60 ${KINDS[kind]} ${extra}`;
}

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly kind?: ButtonKind;
  readonly icon?: IconName;
  /** Shows that the action is running, and prevents a second one. */
  readonly busy?: boolean;
  readonly children: ReactNode;
}

export function Button({
  kind,
  icon,
  busy = false,
  children,
  className = '',
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      // Disabling it would take the focus away from it.
      aria-disabled={busy || undefined}
      aria-busy={busy}
      onClick={(event) => (busy ? event.preventDefault() : onClick?.(event))}
      className={buttonClass(kind, className)}
    >
      {busy ? <Spinner /> : icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly icon: IconName;
  /** The name of the action, for people who cannot see the icon. */
  readonly label: string;
}

export function IconButton({ icon, label, className = '', ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...rest}
      className={`inline-grid size-8 shrink-0 place-items-center rounded-md text-soft transition-colors hover:bg-sunken hover:text-ink ${className}`}
    >
      <Icon name={icon} />
    </button>
  );
}

export function Spinner({ className = 'size-3.5' }: { readonly className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={`inline-block shrink-0 animate-spin rounded-full border-2 border-current border-r-transparent ${className}`}
    />
  );
}
