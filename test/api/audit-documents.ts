import { graphql } from './generated/gql.ts';

// Minimal mutations that leave an entry in the audit log. Other tests cover their effects.

export const ADVANCE_TEST_CLOCK = graphql(`
  mutation AuditedTestClock($seconds: Int!) { advanceTestClock(seconds: $seconds) }
`);

export const UPDATE_SETTINGS = graphql(`
  mutation AuditedSettings($input: UpdateSettingsInput!) { updateSettings(input: $input) { maxFailures } }
`);

export const SET_RECEIVING_ACCOUNTS = graphql(`
  mutation AuditedReceivingAccounts($mint: String!, $count: Int!) {
    setReceivingAccounts(mint: $mint, count: $count) { count }
  }
`);

export const UPDATE_MAIL_SETTINGS = graphql(`
  mutation AuditedMailSettings($input: UpdateMailSettingsInput!) { updateMailSettings(input: $input) { templates } }
`);

export const UPDATE_ENDPOINT = graphql(`
  mutation AuditedEndpoint($id: ID!, $input: UpdateWebhookEndpointInput!) {
    updateWebhookEndpoint(id: $id, input: $input) { id }
  }
`);

export const ROTATE_SECRET = graphql(`
  mutation AuditedSecret($id: ID!) { rotateWebhookSecret(id: $id) { secret } }
`);

export const END_SECRET_OVERLAP = graphql(`
  mutation AuditedSecretOverlap($id: ID!) { endWebhookSecretOverlap(id: $id) { previousSecretUntil } }
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
