import { ShortId } from '../../../shared/components/copy-button.tsx';
import type { AuditEntry } from './target-link.tsx';

/** Resources with a single object, which the name of the action already identifies. */
const SINGLETONS = ['merchant', 'settings', 'onboarding', 'test_clock'];

/** The id of the changed object; left out if that is the member, for example at a sign-in. */
export function Target({ entry: { action, targetId, actorName } }: { readonly entry: AuditEntry }) {
  const [resource = ''] = action.split('.');
  if (SINGLETONS.includes(resource) || targetId === actorName) return null;
  return (
    <span className="mt-1 flex min-h-6 items-center text-soft">
      <ShortId value={targetId} />
    </span>
  );
}
