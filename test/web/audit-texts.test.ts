import { expect, it } from 'vitest';
import { auditActions } from '../../src/domain/kernel/audit-log/actions.ts';
import { audit } from '../../web/shared/text/audit.ts';

it('every action of the audit log has a text, and can be filtered', () => {
  expect(Object.keys(audit.actions).toSorted()).toEqual(auditActions.toSorted());
});
