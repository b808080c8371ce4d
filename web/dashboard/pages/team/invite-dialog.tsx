import { useState } from 'react';
import type { MemberRole } from '../../../generated/graphql.ts';
import { graphql } from '../../../shared/api/graphql.ts';
import { useChange } from '../../../shared/api/query.ts';
import { ConfirmDialog } from '../../../shared/components/confirm-dialog.tsx';
import { CopyButton } from '../../../shared/components/copy-button.tsx';
import { Field } from '../../../shared/components/field.tsx';
import { useToast } from '../../../shared/components/toasts.tsx';
import { team as text } from '../../../shared/text/team.ts';
import { RoleChoice } from './role-choice.tsx';

const INVITE = graphql(/* GraphQL */ `
  mutation InviteMember($walletAddress: String!, $role: MemberRole!) {
    inviteMember(walletAddress: $walletAddress, role: $role) {
      id
    }
  }
`);

/** Adds a wallet to the team. */
export function InviteDialog({ onClose }: { readonly onClose: () => void }) {
  const [walletAddress, setWalletAddress] = useState('');
  const [role, setRole] = useState<MemberRole>('DEVELOPER');
  const toast = useToast();
  const invite = useChange(INVITE, {
    onDone: () => {
      toast(text.invited);
      onClose();
    },
  });
  const isAddressError = invite.error?.param === 'walletAddress';
  const signInUrl = `${location.origin}/dashboard`;
  return (
    <ConfirmDialog
      title={text.inviteTitle}
      action={text.inviteAction}
      busy={invite.isPending}
      error={isAddressError ? undefined : invite.error?.message}
      onConfirm={() => invite.mutate({ walletAddress: walletAddress.trim(), role })}
      onClose={onClose}
    >
      <div className="grid gap-4">
        <div className="[&_label]:text-ink">
          <Field
            label={text.walletAddress}
            hint={text.walletHint}
            error={isAddressError ? invite.error?.message : undefined}
          >
            {(control) => (
              <input
                {...control}
                autoComplete="off"
                spellCheck={false}
                value={walletAddress}
                onChange={({ target }) => setWalletAddress(target.value)}
              />
            )}
          </Field>
        </div>
        <RoleChoice role={role} onChoose={setRole} />
        <p>
          {text.inviteHint} <code className="font-mono text-[0.8125rem] text-ink">{signInUrl}</code>{' '}
          <CopyButton text={signInUrl} />
        </p>
      </div>
    </ConfirmDialog>
  );
}
