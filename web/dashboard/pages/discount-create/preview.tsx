import { discountForm as text } from '../../../shared/text/discounts.ts';
import { type DiscountedPlan, priceSentence, type TypedDiscount } from './price-sentence.ts';

interface PreviewProps {
  /** The active plans that have the discount. */
  readonly plans: readonly DiscountedPlan[];
  /** Undefined while the typed value is invalid. */
  readonly discount: TypedDiscount | undefined;
}

/** Plans whose prices are shown. */
const MAX_SHOWN = 3;

/** The prices of plans with the discount. */
export function Preview({ plans, discount }: PreviewProps) {
  return (
    <aside aria-label={text.preview} className="lg:sticky lg:top-6">
      <p className="mb-2 text-xs font-medium text-soft">{text.preview}</p>
      <div role="status" className="grid gap-3 rounded-lg border border-line bg-surface p-4 shadow-low">
        {!discount && <p className="text-soft">{text.previewNone}</p>}
        {discount && plans.length === 0 && <p className="text-soft">{text.previewNoPlan}</p>}
        {discount &&
          plans.slice(0, MAX_SHOWN).map((plan) => (
            <div key={plan.planId}>
              <p className="font-medium">{plan.name}</p>
              <p className="text-soft">{priceSentence(plan, discount)}</p>
            </div>
          ))}
        {discount && plans.length > MAX_SHOWN && (
          <p className="text-xs text-soft">{text.previewAmong(plans.length - MAX_SHOWN)}</p>
        )}
      </div>
    </aside>
  );
}
