import { graphql } from '../../../shared/api/graphql.ts';

/** Changes settings of this environment. */
export const UPDATE_SETTINGS = graphql(/* GraphQL */ `
  mutation UpdateSettings($input: UpdateSettingsInput!) {
    updateSettings(input: $input) {
      maxFailures
    }
  }
`);
