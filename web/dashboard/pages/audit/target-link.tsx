import { Link } from '@tanstack/react-router';
import type { AuditPageQuery } from '../../../generated/graphql.ts';
import { environment } from '../../../shared/api/environment.ts';
import { rowLinkClass } from '../../../shared/components/data-table.tsx';
import { audit as text } from '../../../shared/text/audit.ts';

export type AuditEntry = AuditPageQuery['auditLog']['edges'][number]['node'];

/** What was changed, in words, with a link to its page where this environment has one. */
export function TargetLink({
  entry: { action, targetId, environment: changed },
}: {
  readonly entry: AuditEntry;
}) {
  const words = text.actions[action] ?? action;
  const plain = <span className="font-medium">{words}</span>;
  if (changed !== null && changed.toLowerCase() !== environment) return plain;
  switch (action.split('.')[0]) {
    case 'plan':
      return action === 'plan.deleted' ? (
        plain
      ) : (
        <Link to="/plans/$planId" params={{ planId: targetId }} className={rowLinkClass}>
          {words}
        </Link>
      );
    case 'subscription':
    case 'payment':
      return (
        <Link to="/subscriptions/$id" params={{ id: targetId }} className={rowLinkClass}>
          {words}
        </Link>
      );
    case 'endpoint':
      return action === 'endpoint.deleted' ? (
        plain
      ) : (
        <Link to="/webhooks/$id" params={{ id: targetId }} className={rowLinkClass}>
          {words}
        </Link>
      );
    case 'event':
      return (
        <Link to="/events/$id" params={{ id: targetId }} className={rowLinkClass}>
          {words}
        </Link>
      );
    case 'api_key':
      return (
        <Link to="/keys" className={rowLinkClass}>
          {words}
        </Link>
      );
    case 'customer':
    case 'portal_session':
      return (
        <Link to="/customers/$id" params={{ id: targetId }} className={rowLinkClass}>
          {words}
        </Link>
      );
    case 'payment_link':
      return (
        <Link to="/links" className={rowLinkClass}>
          {words}
        </Link>
      );
    case 'member':
      return (
        <Link to="/team" className={rowLinkClass}>
          {words}
        </Link>
      );
    case 'merchant':
    case 'settings':
      return (
        <Link to="/settings" className={rowLinkClass}>
          {words}
        </Link>
      );
    default:
      return plain;
  }
}
