import { graphql } from '../../../shared/api/graphql.ts';
import { useReadAfter, useStream } from '../../../shared/api/live.tsx';

const UPDATED = graphql(/* GraphQL */ `
  subscription DeliveryUpdated($endpointId: ID) {
    webhookDeliveryUpdated(endpointId: $endpointId) {
      id
    }
  }
`);

/** What queries name in `live` to be read again after each attempt of a delivery. */
export const DELIVERY = 'delivery.';

/** Follows the attempts of all deliveries, or of those to one endpoint. */
export function useDeliveryUpdates(endpointId: string | null): void {
  const readAfter = useReadAfter();
  const read = () => readAfter(`${DELIVERY}updated`);
  useStream(UPDATED, { endpointId }, { onData: read, onGap: read });
}
