import { useChange } from '../../../shared/api/query.ts';
import { ConfirmDialog } from '../../../shared/components/confirm-dialog.tsx';
import { useToast } from '../../../shared/components/toasts.tsx';
import { discount as text } from '../../../shared/text/discounts.ts';
import { type DiscountDetail, UPDATE_DISCOUNT } from './discount.ts';

interface SwitchDialogProps {
  readonly discount: DiscountDetail;
  readonly onClose: () => void;
}

/** Asks before a discount is switched off or on again. */
export function SwitchDialog({ discount: { id, name, isActive }, onClose }: SwitchDialogProps) {
  const toast = useToast();
  const update = useChange(UPDATE_DISCOUNT, {
    onDone: ({ updateDiscount }) => {
      toast(updateDiscount.isActive ? text.switchedOn : text.switchedOff);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={(isActive ? text.switchOffTitle : text.switchOnTitle)(name)}
      action={isActive ? text.switchOff : text.switchOn}
      danger={isActive}
      busy={update.isPending}
      error={update.error?.message}
      onConfirm={() => update.mutate({ id, input: { isActive: !isActive } })}
      onClose={onClose}
    >
      {isActive ? text.switchOffHint : text.switchOnHint}
    </ConfirmDialog>
  );
}
