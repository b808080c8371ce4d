import { INTERVAL_SECONDS } from '../../../src/domain/catalog/money/interval.ts';
import { useMoveTime } from '../../shared/api/billing-clock.ts';
import { Button } from '../../shared/components/button.tsx';
import { Dialog } from '../../shared/components/dialog.tsx';
import { useToast } from '../../shared/components/toasts.tsx';
import { testClock as text } from '../../shared/text/test-clock.ts';
import { useBillingNow } from '../../shared/time/billing-now.ts';
import { formatDuration } from '../../shared/time/duration.ts';
import { Time } from '../../shared/time/time.tsx';
import { useFormatTime } from '../../shared/time/time-zone.tsx';

const DAY = 86_400;
/** The last one makes a plan of a month due, and one of 30 days. */
const STEPS = [3_600, DAY, 7 * DAY, INTERVAL_SECONDS.MONTH];

/** Advances the time of a local network by one step per click. */
export function MoveTimeDialog({ onClose }: { readonly onClose: () => void }) {
  const toast = useToast();
  const format = useFormatTime();
  const now = useBillingNow();
  const move = useMoveTime((newTime) => {
    toast(text.moved(format(newTime)));
    onClose();
  });
  return (
    <Dialog title={text.title} description={text.hint} onClose={onClose}>
      <p>
        {text.now} <Time at={now.toISOString()} />
      </p>
      <fieldset className="mt-4" disabled={move.isPending}>
        <legend className="mb-2 font-medium">{text.steps}</legend>
        <div className="flex flex-wrap gap-2">
          {STEPS.map((seconds) => (
            <Button
              key={seconds}
              busy={move.isPending && move.variables?.seconds === seconds}
              onClick={() => move.mutate({ seconds })}
            >
              {formatDuration(seconds)}
            </Button>
          ))}
        </div>
      </fieldset>
      {move.error && (
        <p role="alert" className="mt-3 text-bad">
          {move.error.message}
        </p>
      )}
    </Dialog>
  );
}
