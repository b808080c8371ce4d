import type { EndpointDisabledReason, EndpointStatus } from '../../../generated/graphql.ts';
import { Badge, type Tone } from '../../../shared/components/badge.tsx';
import { endpointHealth as text } from '../../../shared/text/webhooks.ts';

export interface EndpointHealth {
  readonly status: EndpointStatus;
  readonly disabledReason: EndpointDisabledReason | null;
  readonly failingSince: string | null;
  readonly pausedUntil: string | null;
}

export interface Health {
  readonly label: string;
  readonly hint: string;
  readonly tone: Tone;
  /** When the failures began. */
  readonly since?: string;
  /** When deliveries continue. */
  readonly until?: string;
}

/** Describes the health of an endpoint. */
export function healthOf({ status, disabledReason, failingSince, pausedUntil }: EndpointHealth): Health {
  if (status === 'DELETED') return { label: text.deleted, hint: '', tone: 'neutral' };
  if (status === 'DISABLED') {
    const reason = disabledReason ?? 'MERCHANT';
    const byMerchant = reason === 'MERCHANT';
    return {
      label: byMerchant ? text.paused : text.disabled,
      hint: text.reasons[reason],
      tone: byMerchant ? 'warn' : 'bad',
    };
  }
  if (failingSince) return { label: text.failing, hint: text.failingHint, tone: 'bad', since: failingSince };
  if (pausedUntil)
    return { label: text.overloaded, hint: text.overloadedHint, tone: 'warn', until: pausedUntil };
  return { label: text.healthy, hint: text.healthyHint, tone: 'good' };
}

export function HealthBadge({ endpoint }: { readonly endpoint: EndpointHealth }) {
  const { label, hint, tone } = healthOf(endpoint);
  return (
    <span title={hint || undefined}>
      <Badge tone={tone}>{label}</Badge>
    </span>
  );
}
