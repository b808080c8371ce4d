import type { DiscountState } from '../../../generated/graphql.ts';
import { Badge, type Tone } from '../../../shared/components/badge.tsx';
import { discounts as text } from '../../../shared/text/discounts.ts';

const TONES: Readonly<Record<DiscountState, Tone>> = {
  ON: 'good',
  OFF: 'neutral',
  NOT_STARTED: 'accent',
  ENDED: 'neutral',
  USED_UP: 'warn',
};

/** Whether customers get a discount, or why they do not. */
export function DiscountStateBadge({ state }: { readonly state: DiscountState }) {
  return <Badge tone={TONES[state]}>{text.states[state]}</Badge>;
}
