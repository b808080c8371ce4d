import { graphql } from './generated/gql.ts';

// The shortest words for changes that the audit log has to tell of; what they do is tested elsewhere.

export const UPDATE_SETTINGS = graphql(`
  mutation AuditedSettings($input: UpdateSettingsInput!) { updateSettings(input: $input) { maxFailures } }
`);

export const UPDATE_ENDPOINT = graphql(`
  mutation AuditedEndpoint($id: ID!, $input: UpdateWebhookEndpointInput!) {
    updateWebhookEndpoint(id: $id, input: $input) { id }
  }
`);

export const ROTATE_SECRET = graphql(`
  mutation AuditedSecret($id: ID!) { rotateWebhookSecret(id: $id) { secret } }
`);

export const DELETE_ENDPOINT = graphql(`
  mutation AuditedEndpointRemoval($id: ID!) { deleteWebhookEndpoint(id: $id) { id } }
`);

export const SEND_TEST = graphql(`
  mutation AuditedTest($endpointId: ID!) { sendTestWebhook(endpointId: $endpointId) { id } }
`);

export const TRIGGER_EVENT = graphql(`
  mutation AuditedTrigger($type: String!) { triggerEvent(type: $type) { id } }
`);

export const RESEND = graphql(`
  mutation AuditedResend($deliveryId: ID!) { resendWebhook(deliveryId: $deliveryId) { id } }
`);

export const REPLAY = graphql(`
  mutation AuditedReplay($input: ReplayWebhooksInput!) { replayWebhooks(input: $input, dryRun: false) { count } }
`);
