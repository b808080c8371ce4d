import { Facts } from '../../../shared/components/facts.tsx';
import { OnChain } from '../../../shared/components/on-chain.tsx';
import { refund as text } from '../../../shared/text/refunds.ts';
import type { PaymentDetail } from './payment.ts';

/** The wallet that receives a refund, and whose it is. */
export function Receiver({ payment: { customer, subscription } }: { readonly payment: PaymentDetail }) {
  return (
    <Facts
      facts={[
        {
          label: text.receiver,
          value: (
            <>
              <OnChain kind="address" value={subscription.walletAddress} />
              <span className="block text-xs text-soft wrap-anywhere">{text.walletOf(customer.email)}</span>
            </>
          ),
        },
      ]}
    />
  );
}
