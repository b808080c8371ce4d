import { Link } from '@tanstack/react-router';
import type { AuditPageQuery } from '../../../generated/graphql.ts';
import { environment } from '../../../shared/api/environment.ts';
import { rowLinkClass } from '../../../shared/components/data-table.tsx';
import { audit as text } from '../../../shared/text/audit.ts';

export type AuditEntry = AuditPageQuery['auditLog']['edges'][number]['node'];

/** The change, with a link to the changed object if this environment has a page for it. */
export function TargetLink({
  entry: { action, targetId, environment: entryEnvironment },
}: {
  readonly entry: AuditEntry;
}) {
  const label = text.actions[action] ?? action;
  const plain = <span className="font-medium">{label}</span>;
  if (entryEnvironment !== null && entryEnvironment.toLowerCase() !== environment) return plain;
  switch (action.split('.')[0]) {
    case 'plan':
      return action === 'plan.deleted' ? (
        plain
      ) : (
        <Link to="/plans/$planId" params={{ planId: targetId }} className={rowLinkClass}>
          {label}
        </Link>
      );
    case 'subscription':
    case 'payment':
      return (
        <Link to="/subscriptions/$id" params={{ id: targetId }} className={rowLinkClass}>
          {label}
        </Link>
      );
    case 'endpoint':
      return action === 'endpoint.deleted' ? (
        plain
      ) : (
        <Link to="/webhooks/$id" params={{ id: targetId }} className={rowLinkClass}>
          {label}
        </Link>
      );
    case 'event':
      return (
        <Link to="/events/$id" params={{ id: targetId }} className={rowLinkClass}>
          {label}
        </Link>
      );
    case 'api_key':
      return (
        <Link to="/keys" className={rowLinkClass}>
          {label}
        </Link>
      );
    case 'customer':
    case 'portal_session':
      return (
        <Link to="/customers/$id" params={{ id: targetId }} className={rowLinkClass}>
          {label}
        </Link>
      );
    case 'discount':
      return (
        <Link to="/discounts/$id" params={{ id: targetId }} className={rowLinkClass}>
          {label}
        </Link>
      );
    case 'payment_link':
      return (
        <Link to="/links" className={rowLinkClass}>
          {label}
        </Link>
      );
    case 'member':
      return (
        <Link to="/team" className={rowLinkClass}>
          {label}
        </Link>
      );
    case 'merchant':
    case 'settings':
      return (
        <Link to="/settings" className={rowLinkClass}>
          {label}
        </Link>
      );
    default:
      return plain;
  }
}
