import { useId } from 'react';
import type { MemberRole } from '../../../generated/graphql.ts';
import { shell } from '../../../shared/text/shell.ts';
import { team as text } from '../../../shared/text/team.ts';

export const ROLES: readonly MemberRole[] = ['OWNER', 'DEVELOPER', 'READ_ONLY'];

interface RoleChoiceProps {
  readonly role: MemberRole;
  readonly onChoose: (role: MemberRole) => void;
  readonly disabled?: boolean;
}

/** Radio buttons for the role, with the permissions of each. */
export function RoleChoice({ role, onChoose, disabled = false }: RoleChoiceProps) {
  const name = useId();
  return (
    <fieldset disabled={disabled} className="grid gap-2">
      <legend className="mb-1 font-medium text-ink">{text.role}</legend>
      {ROLES.map((choice) => (
        <label
          key={choice}
          className="flex gap-3 rounded-md border border-line p-3 has-checked:border-accent has-checked:bg-accent-ground"
        >
          <input
            type="radio"
            name={name}
            checked={role === choice}
            onChange={() => onChoose(choice)}
            className="mt-0.5 accent-accent"
          />
          <span>
            <span className="block font-medium text-ink">{shell.roles[choice]}</span>
            {text.roleHints[choice]}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
