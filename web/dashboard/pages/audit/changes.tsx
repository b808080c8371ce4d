import { audit as text } from '../../../shared/text/audit.ts';
import { Time } from '../../../shared/time/time.tsx';

/** `{"role": {"from": "OWNER", "to": "DEVELOPER"}}`; a new value has no `from`. */
type FieldChanges = Readonly<Record<string, { readonly from?: unknown; readonly to: unknown }>>;

const MAX_SHOWN_CHARACTERS = 200;

/** The changed fields of an entry, each with its old and new value. */
export function Changes({ changes }: { readonly changes: unknown }) {
  const fields = Object.entries((changes ?? {}) as FieldChanges);
  if (fields.length === 0) return <span className="text-soft">{text.noChanges}</span>;
  return (
    <dl className="grid grid-cols-[minmax(0,1fr)] gap-1 wrap-anywhere max-sm:border-l max-sm:border-line max-sm:pl-3">
      {fields.map(([name, change]) => (
        <div key={name} className="flex flex-wrap gap-x-2">
          <dt className="text-soft">{formatFieldName(name)}</dt>
          <dd className="min-w-0">
            {'from' in change ? (
              <>
                <span className="sr-only">{text.before} </span>
                <span className="text-soft">
                  <Value value={change.from} />
                </span>
                <span aria-hidden="true" className="text-soft">
                  {' → '}
                </span>
                <span className="sr-only"> {text.after} </span>
              </>
            ) : (
              <span className="sr-only">{text.isNew} </span>
            )}
            <Value value={change.to} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Formats the name of a field: `retryDelaysSeconds` is "Retry delays seconds". */
function formatFieldName(name: string): string {
  const spaced = name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

function Value({ value }: { readonly value: unknown }) {
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0))
    return <em>{text.none}</em>;
  if (typeof value === 'boolean') return value ? text.yes : text.no;
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return <Time at={value} />;
  const shown = Array.isArray(value) ? value.join(', ') : String(value);
  if (shown.length <= MAX_SHOWN_CHARACTERS) return shown;
  return <span title={shown}>{shown.slice(0, MAX_SHOWN_CHARACTERS)}…</span>;
}
