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

/** The roles with what they may do; one is chosen. */
export function RoleChoice({ role, onChoose, disabled = false }: RoleChoiceProps) {
  const name = useId();
  return (
    <fieldset disabled={disabled} className="grid gap-2">
      <legend className="mb-1 font-medium text-ink">{text.role}</legend>
      {ROLES.map((each) => (
        <label
          key={each}
          className="flex gap-3 rounded-md border border-line p-3 has-checked:border-accent has-checked:bg-accent-ground"
        >
          <input
            type="radio"
            name={name}
            checked={role === each}
            onChange={() => onChoose(each)}
            className="mt-0.5 accent-accent"
          />
          <span>
            <span className="block font-medium text-ink">{shell.roles[each]}</span>
            {text.roleHints[each]}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
