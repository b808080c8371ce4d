import { ShortId } from '../../../shared/components/copy-button.tsx';
import type { AuditEntry } from './target-link.tsx';

/** These have one object only, which the words name already. */
const OWN_OBJECT = ['merchant', 'settings', 'onboarding', 'test_clock'];

/** The object that was changed; left out where the member is the object, as at a sign-in. */
export function Target({ entry: { action, targetId, actorName } }: { readonly entry: AuditEntry }) {
  const [resource = ''] = action.split('.');
  if (OWN_OBJECT.includes(resource) || targetId === actorName) return null;
  return (
    <span className="mt-1 flex min-h-6 items-center text-soft">
      <ShortId value={targetId} />
    </span>
  );
}
