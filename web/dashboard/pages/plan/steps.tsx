import { Icon } from '../../../shared/components/icon.tsx';
import { plan as text } from '../../../shared/text/plan.ts';

const STEPS = ['terms', 'sign', 'active'] as const;

export type PlanStep = (typeof STEPS)[number];

/** The steps of a new plan, with the current one marked: terms, signature, active. */
export function PlanSteps({ current }: { readonly current: PlanStep }) {
  const currentIndex = STEPS.indexOf(current);
  return (
    <ol aria-label={text.stepsLabel} className="mb-6 flex flex-wrap items-center gap-x-3 gap-y-1">
      {STEPS.map((step, index) => (
        <li
          key={step}
          aria-current={step === current ? 'step' : undefined}
          className={`flex items-center gap-2 ${index === currentIndex ? 'font-medium' : 'text-soft'}`}
        >
          {index > 0 && <span aria-hidden="true" className="w-6 border-t border-line" />}
          <span
            className={`grid size-5 place-items-center rounded-full text-xs tabular-nums ${
              index < currentIndex
                ? 'bg-good-ground text-good'
                : index === currentIndex
                  ? 'bg-accent text-on-accent'
                  : 'bg-sunken text-soft'
            }`}
          >
            {index < currentIndex ? <Icon name="check" className="size-3" /> : index + 1}
          </span>
          {text.steps[step]}
        </li>
      ))}
    </ol>
  );
}
