import { graphql } from './generated/gql.ts';

export const UPCOMING = graphql(`
  query Upcoming($until: String!) {
    upcomingCharges(until: $until) { day count amount { amount } short shortChecked }
  }
`);

export const CONVERSION = graphql(`
  query Conversion($from: String!, $to: String!) {
    checkoutConversion(from: $from, to: $to) { day created completed expired }
  }
`);

export const ENDPOINT_STATS = graphql(`
  query EndpointStats($id: ID!, $hours: Int!) {
    eventTypes { type description sample }
    webhookEndpoint(id: $id) { description stats(hours: $hours) { delivered failed pending p50Ms p95Ms } }
  }
`);

export const REFUSED_DELIVERIES = graphql(`
  query RefusedDeliveries($statusCode: Int!) {
    webhookDeliveries(statusCode: $statusCode) { edges { node { id lastStatusCode } } }
  }
`);

export const PAID_BY = graphql(`
  query PaidBy($id: ID!) {
    customer(id: $id) {
      totalPaid { mint amount }
      nextCharge { at amount { mint amount asset { symbol } } }
      payments(first: 5) { totalCount edges { node { id } } }
    }
  }
`);

export const ABOUT_PAYMENT = graphql(`
  query AboutPayment($id: ID!) {
    payment(id: $id) { dueAt periodEnd customer { id } mails { id template recipient status error createdAt sentAt } }
    events(paymentId: $id, first: 5) { totalCount edges { node { id type deliveries { id } } } }
  }
`);

export const EVENTS_ABOUT = graphql(`
  query EventsAbout($id: ID!) { events(paymentId: $id) { edges { node { id } } } }
`);

export const UPDATE_BILLING_DETAILS = graphql(`
  mutation UpdateBillingDetails($id: ID!, $input: BillingDetailsInput!) {
    updateBillingDetails(id: $id, input: $input) { id billingName billingAddress taxId }
  }
`);

export const UPDATE_CUSTOMER = graphql(`
  mutation UpdateCustomer($id: ID!, $email: String!) { updateCustomer(id: $id, email: $email) { id email } }
`);
