/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
/** Status of a checkout session. */
export type CheckoutSessionStatus =
  /** The subscription exists. */
  | 'COMPLETED'
  /** The customer did not complete the checkout within 30 minutes. */
  | 'EXPIRED'
  /** The customer can complete the checkout. */
  | 'OPEN';

/** The plan and the customer of a checkout. */
export type CreateCheckoutSessionInput = {
  /** Whether the customer may enter a code of a discount on the page; default no. */
  allowsCodes?: boolean | null | undefined;
  /** URL for a customer who cancels the checkout. */
  cancelUrl?: string | null | undefined;
  /** Email address of the customer. */
  customerEmail: string;
  /** The merchant's own id of the customer. */
  customerId?: string | null | undefined;
  /** Id of a discount that the customer gets without a code. */
  discountId?: string | null | undefined;
  /** A text of your choice that identifies this request. A repeated request with the same text returns the same session until the session expires. */
  idempotencyKey?: string | null | undefined;
  /** Wallet of the merchant, base58. If it is given, it must be the wallet that receives the money: a check against wrong configuration. */
  merchantWallet?: string | null | undefined;
  /** A JSON object of at most 8 KiB. It is part of all webhooks about the subscription. */
  metadata?: unknown;
  /** The merchant's id of an active plan. */
  planId: string;
  /** Id of one of the prices of the plan that is not retired; default: the current one. */
  priceId?: string | null | undefined;
  /** URL for the customer after the checkout; `session_id` is added to its query. */
  successUrl?: string | null | undefined;
};

export type CreateCheckoutSessionMutationVariables = Exact<{
  input: CreateCheckoutSessionInput;
}>;


export type CreateCheckoutSessionMutation = { createCheckoutSession: { id: string, url: string, expiresAt: string, status: CheckoutSessionStatus } };

export type EventsCursorQueryVariables = Exact<{ [key: string]: never; }>;


export type EventsCursorQuery = { eventsCursor: string };

export type EventsSubscriptionVariables = Exact<{
  after?: string | null | undefined;
  types?: Array<string> | string | null | undefined;
}>;


export type EventsSubscription = { events: { cursor: string, id: string, type: string, sequence: number | null, createdAt: string, data: unknown } };


export const CreateCheckoutSessionDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateCheckoutSession"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateCheckoutSessionInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createCheckoutSession"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}}]} as unknown as DocumentNode<CreateCheckoutSessionMutation, CreateCheckoutSessionMutationVariables>;
export const EventsCursorDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"EventsCursor"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"eventsCursor"}}]}}]} as unknown as DocumentNode<EventsCursorQuery, EventsCursorQueryVariables>;
export const EventsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"Events"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"types"}},"type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"events"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"types"},"value":{"kind":"Variable","name":{"kind":"Name","value":"types"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cursor"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"sequence"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"data"}}]}}]}}]} as unknown as DocumentNode<EventsSubscription, EventsSubscriptionVariables>;