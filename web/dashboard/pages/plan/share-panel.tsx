import { Link } from '@tanstack/react-router';
import { Card } from '../../../shared/components/card.tsx';
import { CodeSample } from '../../../shared/components/code-sample.tsx';
import { plan as text } from '../../../shared/text/plan.ts';
import { checkoutSamples } from '../../../shared/text/samples.ts';

/** Code samples for selling the plan from a backend. */
export function SharePanel({ planId }: { readonly planId: string }) {
  return (
    <Card title={text.share} description={text.shareHint}>
      <CodeSample samples={checkoutSamples(planId)} />
      <p className="mt-3 text-soft">
        {text.shareKey}{' '}
        <Link to="/keys" className="text-accent underline">
          {text.shareKeys}
        </Link>
      </p>
    </Card>
  );
}
