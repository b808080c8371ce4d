import type { ComponentProps } from 'react';
import { usePermissions } from '../api/viewer.ts';
import { common } from '../text/common.ts';
import { Button } from './button.tsx';

/** A button for a change: disabled for read-only members, and says why. */
export function WriteButton(props: ComponentProps<typeof Button>) {
  const { write } = usePermissions();
  return <Button {...props} {...(!write && { disabled: true, title: common.readOnly })} />;
}
