import { statuses } from '../text/statuses.ts';
import { Badge, type Tone } from './badge.tsx';

type AnyStatus = keyof typeof statuses;

const TONES: Readonly<Record<AnyStatus, Tone>> = {
  ACTIVE: 'good',
  PAST_DUE: 'warn',
  CANCELLED: 'neutral',
  EXPIRED: 'bad',
  DUE: 'accent',
  SUCCEEDED: 'good',
  FAILED: 'bad',
  MISSED: 'warn',
  WAIVED: 'neutral',
  DRAFT: 'neutral',
  INACTIVE: 'neutral',
  PENDING: 'accent',
  QUEUED: 'accent',
  SENT: 'good',
  DROPPED: 'neutral',
  ENABLED: 'good',
  DISABLED: 'bad',
  DELETED: 'neutral',
};

/** The status of a subscription, payment, plan, delivery, endpoint or mail. */
export function StatusBadge({ status }: { readonly status: AnyStatus }) {
  return <Badge tone={TONES[status]}>{statuses[status]}</Badge>;
}
