import { useState } from 'react';
import { graphql } from '../../../shared/api/graphql.ts';
import { useChange } from '../../../shared/api/query.ts';
import { usePermissions } from '../../../shared/api/viewer.ts';
import { ConfirmDialog } from '../../../shared/components/confirm-dialog.tsx';
import { Field } from '../../../shared/components/field.tsx';
import { useToast } from '../../../shared/components/toasts.tsx';
import { team as text } from '../../../shared/text/team.ts';
import { type Member, nameOf } from './member.ts';
import { RoleChoice } from './role-choice.tsx';

const RENAME = graphql(/* GraphQL */ `
  mutation RenameMember($id: ID!, $name: String) {
    renameMember(id: $id, name: $name) {
      id
    }
  }
`);

const CHANGE_ROLE = graphql(/* GraphQL */ `
  mutation ChangeMemberRole($id: ID!, $role: MemberRole!) {
    changeMemberRole(id: $id, role: $role) {
      id
    }
  }
`);

const REMOVE = graphql(/* GraphQL */ `
  mutation RemoveMember($id: ID!) {
    removeMember(id: $id) {
      id
    }
  }
`);

interface MemberDialogProps {
  readonly member: Member;
  readonly isSelf: boolean;
  readonly isLastOwner: boolean;
  readonly onClose: () => void;
}

/** Changes a member's name and, for owners, the role. */
export function EditDialog({ member, isSelf, isLastOwner, onClose }: MemberDialogProps) {
  const { own } = usePermissions();
  const [name, setName] = useState(member.name ?? '');
  const [role, setRole] = useState(member.role);
  const toast = useToast();
  const rename = useChange(RENAME);
  const changeRole = useChange(CHANGE_ROLE);
  const hasNewName = name.trim() !== (member.name ?? '');
  const hasNewRole = role !== member.role;
  const save = async () => {
    const { id } = member;
    if (hasNewName) await rename.mutateAsync({ id, name: name.trim() || null });
    if (hasNewRole) await changeRole.mutateAsync({ id, role });
    if (hasNewName || hasNewRole) toast(text.saved);
    onClose();
  };
  return (
    <ConfirmDialog
      title={text.editTitle}
      action={text.save}
      namesLive={hasNewRole}
      busy={rename.isPending || changeRole.isPending}
      error={changeRole.error?.message}
      // The dialog shows the errors of both mutations.
      onConfirm={() => void save().catch(() => undefined)}
      onClose={onClose}
    >
      <div className="grid gap-4">
        <div className="[&_label]:text-ink">
          <Field label={text.name} hint={text.nameHint} error={rename.error?.message}>
            {(control) => (
              <input
                {...control}
                autoComplete="off"
                value={name}
                onChange={({ target }) => setName(target.value)}
              />
            )}
          </Field>
        </div>
        {own && <RoleChoice role={role} onChoose={setRole} disabled={isLastOwner} />}
        {own && isLastOwner && <p>{text.lastOwner}</p>}
        {isSelf && hasNewRole && <p className="text-bad">{text.ownRole}</p>}
      </div>
    </ConfirmDialog>
  );
}

export function RemoveDialog({ member, isSelf, onClose }: MemberDialogProps) {
  const toast = useToast();
  const remove = useChange(REMOVE, {
    onDone: () => {
      toast(text.removed);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={text.removeTitle(nameOf(member))}
      action={text.remove}
      danger
      busy={remove.isPending}
      error={remove.error?.message}
      onConfirm={() => remove.mutate({ id: member.id })}
      onClose={onClose}
    >
      <p>{text.removeHint}</p>
      {isSelf && <p className="mt-2 text-bad">{text.removeSelfHint}</p>}
    </ConfirmDialog>
  );
}
