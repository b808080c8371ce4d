import { SecretDialog } from '../../../shared/components/secret-dialog.tsx';
import { secret as text } from '../../../shared/text/webhooks.ts';

interface SigningSecretProps {
  readonly secret: string;
  readonly isRotated?: boolean;
  readonly onClose: () => void;
}

/** Shows a signing secret once, to copy. */
export function SigningSecret({ secret, isRotated = false, onClose }: SigningSecretProps) {
  return (
    <SecretDialog
      title={isRotated ? text.rotatedTitle : text.addedTitle}
      description={isRotated ? text.rotatedHint : text.hint}
      label={text.label}
      value={secret}
      onClose={onClose}
    />
  );
}
