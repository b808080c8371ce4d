import { labels } from '../text/labels.ts';
import { Button } from './button.tsx';

interface FormButtonsProps {
  /** The verb of the action: `Create key`. */
  readonly action: string;
  /** Whether the form is being sent. */
  readonly busy: boolean;
  readonly onClose: () => void;
}

/** The last row of a form in a dialog: a button that closes it, and one that sends it. */
export function FormButtons({ action, busy, onClose }: FormButtonsProps) {
  return (
    <div className="flex justify-end gap-2">
      <Button onClick={onClose}>{labels.cancel}</Button>
      <Button type="submit" kind="primary" busy={busy}>
        {action}
      </Button>
    </div>
  );
}
