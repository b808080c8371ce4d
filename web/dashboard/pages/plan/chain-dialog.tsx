import { useEffect } from 'react';
import { ask } from '../../../shared/api/ask.ts';
import { graphql } from '../../../shared/api/graphql.ts';
import { Dialog } from '../../../shared/components/dialog.tsx';
import { SignTransaction } from '../../../shared/components/sign-transaction.tsx';
import { useToast } from '../../../shared/components/toasts.tsx';
import { plan as text } from '../../../shared/text/plan.ts';
import type { PlanDetail } from './plan.ts';

const REPAIR = graphql(/* GraphQL */ `
  mutation RepairPlan($planId: String!) {
    repairPlanTransaction(planId: $planId) {
      transaction
    }
  }
`);

const DELETE_ACCOUNT = graphql(/* GraphQL */ `
  mutation DeletePlanAccount($planId: String!) {
    deletePlanTransaction(planId: $planId) {
      transaction
    }
  }
`);

/** Changes of a plan on chain that need only a signature. */
export type ChainChange = 'repair' | 'deleteAccount';

interface ChainDialogProps {
  readonly change: ChainChange;
  readonly plan: PlanDetail;
  readonly onClose: () => void;
}

export function ChainDialog({ change, plan, onClose }: ChainDialogProps) {
  const { planId, problem, merchant } = plan;
  const toast = useToast();
  const isRepair = change === 'repair';
  const isRepaired = isRepair && problem === null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the repair closes it
  useEffect(() => {
    if (!isRepaired) return;
    toast(text.repaired);
    onClose();
  }, [isRepaired]);
  const title = isRepair ? text.repairTitle : text.deleteAccountTitle;
  const hint = isRepair ? text.repairHint : text.deleteAccountHint;
  return (
    <Dialog title={title} description={hint} onClose={onClose}>
      <SignTransaction
        signer={merchant.walletAddress}
        action={title}
        effect={hint}
        danger={!isRepair}
        readTransaction={async () =>
          isRepair
            ? (await ask(REPAIR, { planId })).repairPlanTransaction.transaction
            : (await ask(DELETE_ACCOUNT, { planId })).deletePlanTransaction.transaction
        }
        {...(!isRepair && {
          onSent: () => {
            toast(text.deleteAccountSent);
            onClose();
          },
        })}
      />
    </Dialog>
  );
}
