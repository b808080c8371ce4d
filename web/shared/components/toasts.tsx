import { createContext, type ReactNode, useContext, useState } from 'react';
import { labels } from '../text/labels.ts';
import { IconButton } from './button.tsx';
import { Icon } from './icon.tsx';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly tone: 'good' | 'bad';
}

type ShowToast = (text: string, tone?: Toast['tone']) => void;

const SHOWN_MS = 6_000;
const MAX_SHOWN = 4;

const ToastContext = createContext<ShowToast>(() => undefined);

let lastId = 0;

/** Short messages in a corner, which screen readers read out. */
export function ToastProvider({ children }: { readonly children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  const remove = (id: number) => setToasts((shown) => shown.filter((toast) => toast.id !== id));
  const [show] = useState(() => (text: string, tone: Toast['tone'] = 'good') => {
    lastId += 1;
    const id = lastId;
    setToasts((shown) => [...shown, { id, text, tone }].slice(-MAX_SHOWN));
    setTimeout(() => remove(id), SHOWN_MS);
  });
  return (
    <ToastContext value={show}>
      {children}
      <div
        role="status"
        aria-live="polite"
        className="pointer-events-none fixed right-4 bottom-4 z-50 grid w-[min(22rem,calc(100vw-2rem))] gap-2"
      >
        {toasts.map(({ id, text, tone }) => (
          <div
            key={id}
            className="pointer-events-auto flex items-start gap-2 rounded-lg border border-line bg-surface p-3 shadow-high"
          >
            <Icon
              name={tone === 'good' ? 'check' : 'alert'}
              className={`mt-0.5 size-4 ${tone === 'good' ? 'text-good' : 'text-bad'}`}
            />
            <p className="min-w-0 flex-1">{text}</p>
            <IconButton
              icon="close"
              label={labels.close}
              onClick={() => remove(id)}
              className="-my-1 -mr-1 size-6"
            />
          </div>
        ))}
      </div>
    </ToastContext>
  );
}

/** Shows a short message: `const toast = useToast(); toast('Key created.')`. */
export function useToast(): ShowToast {
  return useContext(ToastContext);
}
