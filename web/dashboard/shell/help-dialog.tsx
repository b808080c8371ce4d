import { Dialog } from '../../shared/components/dialog.tsx';
import { isApple } from '../../shared/keyboard/modifier.ts';
import { shell } from '../../shared/text/shell.ts';
import { PAGES } from './navigation.ts';

const GENERAL_SHORTCUTS = [
  { keys: [isApple ? '⌘K' : 'Ctrl K', '/'], text: shell.menu },
  { keys: ['j', 'k'], text: shell.helpRows },
  { keys: ['Enter'], text: shell.helpOpen },
  { keys: ['←', '→'], text: shell.helpChart },
  { keys: ['?'], text: shell.helpHelp },
];

/** All keyboard shortcuts. */
export function HelpDialog({ onClose }: { readonly onClose: () => void }) {
  const shortcuts = [
    ...GENERAL_SHORTCUTS,
    ...PAGES.map(({ key, label }) => ({ keys: ['g', key], text: label })),
  ];
  return (
    <Dialog title={shell.help} onClose={onClose}>
      <dl className="grid gap-1.5">
        {shortcuts.map(({ keys, text }) => (
          <div key={text} className="flex items-center justify-between gap-4">
            <dt>{text}</dt>
            <dd className="flex gap-1">
              {keys.map((key) => (
                <kbd
                  key={key}
                  className="min-w-6 rounded-sm border border-line bg-sunken px-1.5 text-center font-mono text-xs leading-5"
                >
                  {key}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
