import type { ComponentProps } from 'react';
import { usePermissions } from '../api/viewer.ts';
import { labels } from '../text/labels.ts';
import { Button } from './button.tsx';

/** A button for a change. For read-only members it is disabled and says why. */
export function WriteButton(props: ComponentProps<typeof Button>) {
  const { write } = usePermissions();
  return <Button {...props} {...(!write && { disabled: true, title: labels.readOnly })} />;
}
