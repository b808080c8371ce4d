import { graphql } from '../../../shared/api/graphql.ts';
import { useReadAfter, useStream } from '../../../shared/api/live.tsx';

const UPDATED = graphql(/* GraphQL */ `
  subscription DeliveryUpdated($endpointId: ID) {
    webhookDeliveryUpdated(endpointId: $endpointId) {
      id
    }
  }
`);

/** The `live` prefix of queries that are refetched after each delivery attempt. */
export const DELIVERY = 'delivery.';

/** Follows the attempts of all deliveries, or of those to one endpoint. */
export function useDeliveryUpdates(endpointId: string | null): void {
  const readAfter = useReadAfter();
  const read = () => readAfter(`${DELIVERY}updated`);
  useStream(UPDATED, { endpointId }, { onData: read, onGap: read });
}
