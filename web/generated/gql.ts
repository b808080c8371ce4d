/* eslint-disable */
import * as types from './graphql.ts';



/**
 * Map of all GraphQL operations in the project.
 *
 * This map has several performance disadvantages:
 * 1. It is not tree-shakeable, so it will include all operations in the project.
 * 2. It is not minifiable, so the string of a GraphQL query will be multiple times inside the bundle.
 * 3. It does not support dead code elimination, so it will add unused operations.
 *
 * Therefore it is highly recommended to use the babel or swc plugin for production.
 * Learn more about it here: https://the-guild.dev/graphql/codegen/plugins/presets/preset-client#reducing-bundle-size
 */
type Documents = {
    "\n  query AuditActors {\n    members(first: 100) {\n      edges {\n        node {\n          id\n          name\n          walletAddress\n        }\n      }\n    }\n    apiKeys(first: 100) {\n      edges {\n        node {\n          id\n          name\n          lastFour\n        }\n      }\n    }\n  }\n": typeof types.AuditActorsDocument,
    "\n  query AuditPage($filter: AuditLogFilter, $first: Int, $after: String, $last: Int, $before: String) {\n    auditLog(filter: $filter, first: $first, after: $after, last: $last, before: $before) {\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n      edges {\n        node {\n          id\n          action\n          actor\n          actorId\n          actorName\n          changes\n          createdAt\n          environment\n          ipAddress\n          requestId\n          targetId\n          userAgent\n        }\n      }\n    }\n  }\n": typeof types.AuditPageDocument,
    "\n  query CustomerAccess($customerId: String!) {\n    customerState(customerId: $customerId) {\n      hasAccess\n      features {\n        key\n        limit\n      }\n      subscriptions {\n        subscriptionId\n        planId\n        hasAccess\n        until\n        reason\n        startedAt\n      }\n    }\n  }\n": typeof types.CustomerAccessDocument,
    "\n  mutation UpdateBillingDetails($id: ID!, $input: BillingDetailsInput!) {\n    updateBillingDetails(id: $id, input: $input) {\n      id\n    }\n  }\n": typeof types.UpdateBillingDetailsDocument,
    "\n  mutation UpdateCustomerEmail($id: ID!, $email: String!) {\n    updateCustomer(id: $id, email: $email) {\n      id\n    }\n  }\n": typeof types.UpdateCustomerEmailDocument,
    "\n  query CustomerPage($id: ID!) {\n    customer(id: $id) {\n      id\n      email\n      customerId\n      walletAddress\n      createdAt\n      billingName\n      billingAddress\n      taxId\n      totalPaid {\n        mint\n        amount\n        asset {\n          mint\n          symbol\n          decimals\n        }\n      }\n      nextCharge {\n        at\n        amount {\n          mint\n          amount\n          asset {\n            mint\n            symbol\n            decimals\n          }\n        }\n      }\n      payments(first: 10) {\n        totalCount\n        edges {\n          node {\n            id\n            status\n            amount\n            paidAmount\n            refundedAmount\n            dueAt\n            failureCode\n            subscription {\n              plan {\n                name\n                mint\n                asset {\n                  mint\n                  symbol\n                  decimals\n                }\n              }\n            }\n          }\n        }\n      }\n      subscriptions(first: 25) {\n        totalCount\n        edges {\n          node {\n            lifeId\n            status\n            createdAt\n            nextPaymentAt\n            nextAmount\n            paymentCount\n            plan {\n              name\n              mint\n              asset {\n                mint\n                symbol\n                decimals\n              }\n              interval\n            }\n          }\n        }\n      }\n    }\n  }\n": typeof types.CustomerPageDocument,
    "\n  query CustomerRows(\n    $search: String\n    $from: DateTime\n    $to: DateTime\n    $first: Int\n    $after: String\n    $last: Int\n    $before: String\n  ) {\n    customers(\n      search: $search\n      from: $from\n      to: $to\n      first: $first\n      after: $after\n      last: $last\n      before: $before\n    ) {\n      totalCount\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n      edges {\n        node {\n          id\n          email\n          customerId\n          walletAddress\n          createdAt\n        }\n      }\n    }\n  }\n": typeof types.CustomerRowsDocument,
    "\n  query DeliveryPage($id: ID!) {\n    webhookDelivery(id: $id) {\n      id\n      status\n      createdAt\n      nextAttemptAt\n      isReplay\n      body\n      attempts {\n        number\n        startedAt\n        durationMs\n        statusCode\n        error\n        responseBody\n        requestHeaders {\n          name\n          value\n        }\n      }\n      event {\n        id\n        type\n        subscription {\n          lifeId\n          customer {\n            email\n          }\n        }\n      }\n      endpoint {\n        id\n        url\n        status\n      }\n    }\n  }\n": typeof types.DeliveryPageDocument,
    "\n  mutation ResendDelivery($id: ID!) {\n    resendWebhook(deliveryId: $id) {\n      id\n    }\n  }\n": typeof types.ResendDeliveryDocument,
    "\n  query PlansToDiscount {\n    plans(first: 100, status: ACTIVE) {\n      edges {\n        node {\n          planId\n          name\n          amount\n          maxAmount\n          mint\n          asset {\n            mint\n            symbol\n            decimals\n          }\n          interval\n        }\n      }\n    }\n  }\n": typeof types.PlansToDiscountDocument,
    "\n  mutation CreateDiscount($input: CreateDiscountInput!) {\n    createDiscount(input: $input) {\n      id\n      name\n    }\n  }\n": typeof types.CreateDiscountDocument,
    "\n  query DiscountPage($id: ID!) {\n    discount(id: $id) {\n      id\n      name\n      code\n      percentBps\n      amount\n      asset {\n        mint\n        symbol\n        decimals\n      }\n      periods\n      plans {\n        planId\n        name\n      }\n      maxRedemptions\n      maxPerCustomer\n      firstPurchaseOnly\n      startsAt\n      endsAt\n      isActive\n      state\n      taken\n      createdAt\n    }\n  }\n": typeof types.DiscountPageDocument,
    "\n  mutation UpdateDiscount($id: ID!, $input: UpdateDiscountInput!) {\n    updateDiscount(id: $id, input: $input) {\n      id\n      isActive\n    }\n  }\n": typeof types.UpdateDiscountDocument,
    "\n  query DiscountUses($id: ID!, $first: Int, $after: String, $last: Int, $before: String) {\n    discount(id: $id) {\n      redemptions(first: $first, after: $after, last: $last, before: $before) {\n        totalCount\n        pageInfo {\n          hasNextPage\n          hasPreviousPage\n          startCursor\n          endCursor\n        }\n        edges {\n          node {\n            id\n            status\n            createdAt\n            subscription {\n              lifeId\n              customer {\n                email\n              }\n              plan {\n                name\n              }\n            }\n          }\n        }\n      }\n    }\n  }\n": typeof types.DiscountUsesDocument,
    "\n  query DiscountRows($isActive: Boolean, $first: Int, $after: String, $last: Int, $before: String) {\n    discounts(isActive: $isActive, first: $first, after: $after, last: $last, before: $before) {\n      totalCount\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n      edges {\n        node {\n          id\n          name\n          code\n          percentBps\n          amount\n          asset {\n            mint\n            symbol\n            decimals\n          }\n          periods\n          plans {\n            planId\n            name\n          }\n          maxRedemptions\n          taken\n          state\n          startsAt\n          endsAt\n        }\n      }\n    }\n  }\n": typeof types.DiscountRowsDocument,
    "\n  query EventPage($id: ID!) {\n    event(id: $id) {\n      id\n      type\n      createdAt\n      sequence\n      data\n      subscription {\n        lifeId\n        customer {\n          email\n        }\n      }\n      deliveries {\n        id\n        status\n        attemptCount\n        endpoint {\n          url\n          status\n        }\n      }\n    }\n  }\n": typeof types.EventPageDocument,
    "\n  mutation ResendEvent($id: ID!) {\n    resendEvent(eventId: $id) {\n      id\n    }\n  }\n": typeof types.ResendEventDocument,
    "\n  query EventRows($filter: EventFilter, $first: Int, $after: String, $last: Int, $before: String) {\n    events(filter: $filter, first: $first, after: $after, last: $last, before: $before) {\n      totalCount\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n      edges {\n        node {\n          id\n          type\n          createdAt\n          sequence\n          data\n        }\n      }\n    }\n  }\n": typeof types.EventRowsDocument,
    "\n  mutation TriggerSample($type: String!) {\n    triggerEvent(type: $type) {\n      id\n    }\n  }\n": typeof types.TriggerSampleDocument,
    "\n  query HealthPage {\n    serviceHealth {\n      collectors {\n        environment\n        role\n        address\n        lamports\n        daysLeft\n        canPay\n      }\n      mirror {\n        state\n        slotsBehind\n        silentSeconds\n        doubt\n      }\n      checkedAt\n    }\n  }\n": typeof types.HealthPageDocument,
    "\n  mutation CreateKey($name: String!, $scopes: [ApiKeyScope!], $expiresAt: DateTime) {\n    createApiKey(name: $name, scopes: $scopes, expiresAt: $expiresAt) {\n      apiKey\n    }\n  }\n": typeof types.CreateKeyDocument,
    "\n  query ApiKeyRows($first: Int, $after: String, $last: Int, $before: String) {\n    apiKeys(first: $first, after: $after, last: $last, before: $before) {\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n      edges {\n        node {\n          id\n          name\n          prefix\n          lastFour\n          scopes\n          isValid\n          createdAt\n          lastUsedAt\n          expiresAt\n          revokedAt\n          replacedBy {\n            id\n            name\n            lastFour\n          }\n        }\n      }\n    }\n  }\n": typeof types.ApiKeyRowsDocument,
    "\n  mutation RevokeKey($id: ID!) {\n    revokeApiKey(id: $id) {\n      id\n    }\n  }\n": typeof types.RevokeKeyDocument,
    "\n  mutation RotateKey($id: ID!, $overlapSeconds: Int) {\n    rotateApiKey(id: $id, overlapSeconds: $overlapSeconds) {\n      apiKey\n    }\n  }\n": typeof types.RotateKeyDocument,
    "\n  query PlansToLink {\n    plans(first: 100, status: ACTIVE) {\n      edges {\n        node {\n          planId\n          name\n        }\n      }\n    }\n  }\n": typeof types.PlansToLinkDocument,
    "\n  mutation CreateLink($input: CreatePaymentLinkInput!) {\n    createPaymentLink(input: $input) {\n      id\n      url\n      qrSvgUrl\n      qrPngUrl\n      embedScriptUrl\n      name\n      plan {\n        name\n      }\n    }\n  }\n": typeof types.CreateLinkDocument,
    "\n  query PaymentLinkRows(\n    $planId: String\n    $active: Boolean\n    $first: Int\n    $after: String\n    $last: Int\n    $before: String\n  ) {\n    paymentLinks(\n      planId: $planId\n      active: $active\n      first: $first\n      after: $after\n      last: $last\n      before: $before\n    ) {\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n      edges {\n        node {\n          id\n          url\n          qrSvgUrl\n          qrPngUrl\n          embedScriptUrl\n          name\n          active\n          allowsCodes\n          openedCount\n          completedCount\n          createdAt\n          plan {\n            planId\n            name\n          }\n        }\n      }\n    }\n  }\n": typeof types.PaymentLinkRowsDocument,
    "\n  mutation SwitchPaymentLink($id: ID!, $active: Boolean!) {\n    updatePaymentLink(id: $id, input: { active: $active }) {\n      id\n      active\n    }\n  }\n": typeof types.SwitchPaymentLinkDocument,
    "\n  mutation DismissOnboarding {\n    dismissOnboarding {\n      dismissedAt\n    }\n  }\n": typeof types.DismissOnboardingDocument,
    "\n  query SoldPlan {\n    plans(first: 1, status: ACTIVE) {\n      edges {\n        node {\n          planId\n        }\n      }\n    }\n  }\n": typeof types.SoldPlanDocument,
    "\n  query OnboardingSteps {\n    onboarding {\n      dismissedAt\n      steps {\n        step\n        doneAt\n      }\n    }\n  }\n": typeof types.OnboardingStepsDocument,
    "\n  query CheckoutConversion($from: String!, $to: String!) {\n    checkoutConversion(from: $from, to: $to) {\n      day\n      created\n      completed\n      expired\n    }\n  }\n": typeof types.CheckoutConversionDocument,
    "\n  query LatestEvents {\n    events(first: 10) {\n      edges {\n        node {\n          id\n          type\n          createdAt\n          data\n        }\n      }\n    }\n  }\n": typeof types.LatestEventsDocument,
    "\n  query MetricsOverview($from: String!, $to: String!, $planId: String) {\n    metrics(from: $from, to: $to, planId: $planId) {\n      days {\n        day\n        active\n        pastDue\n        new\n        resumed\n        churned\n        failed\n        mrr {\n          mint\n          amount\n          asset {\n            mint\n            symbol\n            decimals\n          }\n        }\n        mrrMovement {\n          mint\n          new\n          reactivation\n          expansion\n          contraction\n          churn\n          moved\n        }\n        collected {\n          mint\n          amount\n          asset {\n            mint\n            symbol\n            decimals\n          }\n        }\n        failedByCode {\n          code\n          count\n        }\n      }\n      total {\n        new\n        churnRate\n        failed\n        recovered\n        expired\n        collected {\n          mint\n          amount\n          asset {\n            mint\n            symbol\n            decimals\n          }\n        }\n        refunded {\n          mint\n          amount\n          asset {\n            mint\n            symbol\n            decimals\n          }\n        }\n        recoveredAmount {\n          mint\n          amount\n          asset {\n            mint\n            symbol\n            decimals\n          }\n        }\n      }\n      previous {\n        days {\n          active\n          pastDue\n          new\n          mrr {\n            mint\n            amount\n            asset {\n              mint\n              symbol\n              decimals\n            }\n          }\n          collected {\n            mint\n            amount\n            asset {\n              mint\n              symbol\n              decimals\n            }\n          }\n        }\n        total {\n          new\n          churnRate\n          failed\n          collected {\n            mint\n            amount\n            asset {\n              mint\n              symbol\n              decimals\n            }\n          }\n        }\n      }\n    }\n  }\n": typeof types.MetricsOverviewDocument,
    "\n  query Problems {\n    plans(first: 100, status: ACTIVE) {\n      edges {\n        node {\n          planId\n          name\n          problem\n        }\n      }\n    }\n    webhookEndpoints(first: 20) {\n      edges {\n        node {\n          id\n          url\n          status\n          failingSince\n          disabledReason\n        }\n      }\n    }\n  }\n": typeof types.ProblemsDocument,
    "\n  query HealthProblems {\n    serviceHealth {\n      collectors {\n        role\n        canPay\n        daysLeft\n      }\n      mirror {\n        state\n      }\n    }\n  }\n": typeof types.HealthProblemsDocument,
    "\n  query UpcomingCharges($until: String!) {\n    upcomingCharges(until: $until) {\n      day\n      count\n      amount {\n        mint\n        amount\n        asset {\n          mint\n          symbol\n          decimals\n        }\n      }\n    }\n  }\n": typeof types.UpcomingChargesDocument,
    "\n  query UpcomingShort($until: String!) {\n    upcomingCharges(until: $until) {\n      day\n      short\n      shortChecked\n    }\n  }\n": typeof types.UpcomingShortDocument,
    "\n  query NextPayment {\n    subscriptionsConnection(first: 1, orderBy: NEXT_PAYMENT) {\n      edges {\n        node {\n          nextPaymentAt\n        }\n      }\n    }\n  }\n": typeof types.NextPaymentDocument,
    "\n  mutation CreateRefund($input: CreateRefundInput!) {\n    createRefund(input: $input) {\n      id\n    }\n  }\n": typeof types.CreateRefundDocument,
    "\n  query PaymentPage($id: ID!) {\n    payment(id: $id) {\n      id\n      status\n      amount\n      paidAmount\n      lines {\n        kind\n        text\n        amount\n      }\n      number\n      dueAt\n      periodEnd\n      paidAt\n      finalized\n      collectedByUs\n      feeLamports\n      signature\n      refundedAmount\n      excessRefundedAmount\n      refundableAmount\n      refunds {\n        id\n        status\n        amount\n        reason\n        signature\n        solanaPayUrl\n        inFlight\n        sentSignature\n        excess {\n          signature\n          amount\n        }\n        createdAt\n      }\n      receipt {\n        number\n        url\n      }\n      attempts {\n        status\n        createdAt\n        settledAt\n        failureCode\n        amountRequired\n        balanceAvailable\n      }\n      mails {\n        id\n        template\n        recipient\n        status\n        error\n        createdAt\n        sentAt\n      }\n      customer {\n        id\n        email\n      }\n      subscription {\n        lifeId\n        walletAddress\n        plan {\n          planId\n          name\n          mint\n          merchant {\n            walletAddress\n          }\n          asset {\n            mint\n            symbol\n            decimals\n          }\n        }\n      }\n    }\n    events(filter: { paymentId: $id }, first: 20) {\n      totalCount\n      edges {\n        node {\n          id\n          type\n          createdAt\n          deliveries {\n            id\n            status\n            lastStatusCode\n            endpoint {\n              url\n            }\n          }\n        }\n      }\n    }\n  }\n": typeof types.PaymentPageDocument,
    "\n  mutation RefundTransaction($id: ID!) {\n    refundTransaction(id: $id) {\n      transaction\n    }\n  }\n": typeof types.RefundTransactionDocument,
    "\n  query RefundInFlight($id: ID!) {\n    refund(id: $id) {\n      status\n      inFlight\n    }\n  }\n": typeof types.RefundInFlightDocument,
    "\n  mutation CancelRefund($id: ID!) {\n    cancelRefund(id: $id) {\n      id\n    }\n  }\n": typeof types.CancelRefundDocument,
    "\n  query PaymentRows($filter: PaymentFilter, $first: Int, $after: String, $last: Int, $before: String) {\n    payments(filter: $filter, first: $first, after: $after, last: $last, before: $before) {\n      totalCount\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n      edges {\n        node {\n          id\n          status\n          amount\n          paidAmount\n          refundedAmount\n          dueAt\n          paidAt\n          signature\n          failureCode\n          subscription {\n            customer {\n              email\n            }\n            plan {\n              name\n              mint\n              asset {\n                mint\n                symbol\n                decimals\n              }\n            }\n          }\n        }\n      }\n    }\n  }\n": typeof types.PaymentRowsDocument,
    "\n  query PlanAssets {\n    assets {\n      mint\n      symbol\n      name\n      decimals\n      isDefault\n    }\n    plans(first: 1) {\n      totalCount\n    }\n    settings {\n      graceSeconds\n    }\n  }\n": typeof types.PlanAssetsDocument,
    "\n  mutation CreatePlanDraft($input: CreatePlanInput!) {\n    createPlan(input: $input) {\n      plan {\n        planId\n        name\n      }\n    }\n  }\n": typeof types.CreatePlanDraftDocument,
    "\n  mutation RepairPlan($planId: String!) {\n    repairPlanTransaction(planId: $planId) {\n      transaction\n    }\n  }\n": typeof types.RepairPlanDocument,
    "\n  mutation DeletePlanAccount($planId: String!) {\n    deletePlanTransaction(planId: $planId) {\n      transaction\n    }\n  }\n": typeof types.DeletePlanAccountDocument,
    "\n  mutation ClosePlan($planId: String!, $endsAt: DateTime!) {\n    sunsetPlanTransaction(planId: $planId, endsAt: $endsAt) {\n      transaction\n    }\n  }\n": typeof types.ClosePlanDocument,
    "\n  mutation DeletePlanDraft($planId: String!) {\n    deletePlanDraft(planId: $planId)\n  }\n": typeof types.DeletePlanDraftDocument,
    "\n  query PreviewFeatures($planId: String!, $features: [FeatureInput!]!) {\n    previewFeatures(planId: $planId, features: $features) {\n      added\n      removed\n      changed\n      subscriptionCount\n    }\n  }\n": typeof types.PreviewFeaturesDocument,
    "\n  query PlanDetail($planId: String!) {\n    plan(planId: $planId) {\n      planId\n      name\n      description\n      imageUrl\n      maxPausedPeriods\n      address\n      amount\n      maxAmount\n      prices {\n        id\n        version\n        amount\n        createdAt\n        retiredAt\n      }\n      mint\n      asset {\n        mint\n        symbol\n        name\n        decimals\n      }\n      interval\n      trialPeriodSeconds\n      status\n      problem\n      revenue\n      paymentCount\n      createdAt\n      publishedAt\n      endsAt\n      features {\n        key\n        limit\n      }\n      graceSeconds\n      retryPolicy\n      collectWithinSeconds\n      subscribers {\n        active\n        pastDue\n        cancelled\n        expired\n      }\n      merchant {\n        walletAddress\n      }\n    }\n    settings {\n      graceSeconds\n    }\n  }\n": typeof types.PlanDetailDocument,
    "\n  mutation UpdatePlan($planId: String!, $input: UpdatePlanInput!) {\n    updatePlan(planId: $planId, input: $input) {\n      planId\n    }\n  }\n": typeof types.UpdatePlanDocument,
    "\n  subscription PlanFollowed($planId: String!) {\n    planUpdated(planId: $planId) {\n      status\n      problem\n      endsAt\n      name\n      description\n      imageUrl\n    }\n  }\n": typeof types.PlanFollowedDocument,
    "\n  mutation CreatePrice($planId: String!, $amount: TokenAmount!) {\n    createPrice(planId: $planId, amount: $amount) {\n      version\n    }\n  }\n": typeof types.CreatePriceDocument,
    "\n  mutation RetirePrice($priceId: ID!) {\n    retirePrice(priceId: $priceId) {\n      version\n    }\n  }\n": typeof types.RetirePriceDocument,
    "\n  mutation PublishPlan($planId: String!) {\n    publishPlanTransaction(planId: $planId) {\n      transaction\n    }\n  }\n": typeof types.PublishPlanDocument,
    "\n  query LinkOfPlan($planId: String!) {\n    paymentLinks(planId: $planId, active: true, first: 1) {\n      edges {\n        node {\n          id\n          url\n          qrSvgUrl\n          qrPngUrl\n          embedScriptUrl\n          plan {\n            name\n          }\n        }\n      }\n    }\n  }\n": typeof types.LinkOfPlanDocument,
    "\n  mutation CreateLinkOfPlan($planId: String!) {\n    createPaymentLink(input: { planId: $planId }) {\n      id\n    }\n  }\n": typeof types.CreateLinkOfPlanDocument,
    "\n  mutation OpenTestCheckout($input: CreateCheckoutSessionInput!) {\n    createCheckoutSession(input: $input) {\n      url\n    }\n  }\n": typeof types.OpenTestCheckoutDocument,
    "\n  query PlanRows($status: PlanStatus, $first: Int, $after: String, $last: Int, $before: String) {\n    plans(status: $status, first: $first, after: $after, last: $last, before: $before) {\n      totalCount\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n      edges {\n        node {\n          planId\n          name\n          amount\n          mint\n          asset {\n            mint\n            symbol\n            decimals\n          }\n          interval\n          trialPeriodSeconds\n          status\n          problem\n          revenue\n          publishedAt\n          endsAt\n          subscribers {\n            active\n            pastDue\n          }\n        }\n      }\n    }\n  }\n": typeof types.PlanRowsDocument,
    "\n  subscription PlanRowUpdated {\n    planUpdated {\n      planId\n    }\n  }\n": typeof types.PlanRowUpdatedDocument,
    "\n  query ReceiptRows($filter: ReceiptFilter, $first: Int, $after: String, $last: Int, $before: String) {\n    receipts(filter: $filter, first: $first, after: $after, last: $last, before: $before) {\n      totalCount\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n      edges {\n        node {\n          number\n          issuedAt\n          url\n          pdfUrl\n          document\n          payment {\n            id\n            refundedAmount\n          }\n        }\n      }\n    }\n  }\n": typeof types.ReceiptRowsDocument,
    "\n  mutation UpdateProfile($input: MerchantProfileInput!) {\n    updateMerchantProfile(input: $input) {\n      companyName\n    }\n  }\n": typeof types.UpdateProfileDocument,
    "\n  mutation UploadLogo($png: String!) {\n    uploadLogo(png: $png) {\n      logoUrl\n    }\n  }\n": typeof types.UploadLogoDocument,
    "\n  mutation RemoveLogo {\n    updateMerchantProfile(input: { logoUrl: null }) {\n      logoUrl\n    }\n  }\n": typeof types.RemoveLogoDocument,
    "\n  query MailPreview($template: MailTemplate!) {\n    mailPreview(template: $template) {\n      subject\n      text\n    }\n  }\n": typeof types.MailPreviewDocument,
    "\n  mutation UpdateMailSettings($input: UpdateMailSettingsInput!) {\n    updateMailSettings(input: $input) {\n      templates\n    }\n  }\n": typeof types.UpdateMailSettingsDocument,
    "\n  query SettingsPage {\n    merchant {\n      companyName\n      logoUrl\n      brandColor\n      supportEmail\n      legalName\n      postalAddress\n      taxId\n      walletAddress\n    }\n    settings {\n      maxFailures\n      retryDelaysSeconds\n      graceSeconds\n      redirectUrlsAllowed\n      sponsorsCustomers\n      sponsoredLamportsPerDay\n    }\n    mailSettings {\n      templates\n      merchantEmail\n      reminderDays\n      isAvailable\n    }\n  }\n": typeof types.SettingsPageDocument,
    "\n  query ReceivingAccountsCard {\n    receivingAccounts {\n      asset {\n        mint\n        symbol\n        decimals\n      }\n      count\n      accounts {\n        number\n        address\n        state\n        isUsed\n        balance\n      }\n    }\n  }\n": typeof types.ReceivingAccountsCardDocument,
    "\n  mutation SetReceivingAccounts($mint: String!, $count: Int!) {\n    setReceivingAccounts(mint: $mint, count: $count) {\n      count\n    }\n  }\n": typeof types.SetReceivingAccountsDocument,
    "\n  mutation CreateReceivingAccounts($mint: String!) {\n    receivingAccountsTransaction(mint: $mint) {\n      transaction\n    }\n  }\n": typeof types.CreateReceivingAccountsDocument,
    "\n  mutation SweepReceivingAccounts($mint: String!) {\n    sweepReceivingAccountsTransaction(mint: $mint) {\n      transaction\n    }\n  }\n": typeof types.SweepReceivingAccountsDocument,
    "\n  query OwnSessions {\n    viewer {\n      sessions {\n        id\n        isCurrent\n        merchant {\n          companyName\n        }\n        createdAt\n        idleUntil\n        expiresAt\n        ipAddress\n        userAgent\n      }\n    }\n  }\n": typeof types.OwnSessionsDocument,
    "\n  mutation EndMemberSession($id: ID!) {\n    endMemberSession(id: $id)\n  }\n": typeof types.EndMemberSessionDocument,
    "\n  mutation UpdateSettings($input: UpdateSettingsInput!) {\n    updateSettings(input: $input) {\n      maxFailures\n    }\n  }\n": typeof types.UpdateSettingsDocument,
    "\n  mutation CreateMerchant($companyName: String!, $output: SignInOutput) {\n    createMerchant(companyName: $companyName, output: $output) {\n      merchantId\n    }\n  }\n": typeof types.CreateMerchantDocument,
    "\n  mutation SignInInput($address: String) {\n    signInInput(address: $address) {\n      address\n      chainId\n      domain\n      expirationTime\n      issuedAt\n      nonce\n      statement\n      uri\n      version\n    }\n  }\n": typeof types.SignInInputDocument,
    "\n  mutation SignIn($output: SignInOutput!) {\n    signIn(output: $output) {\n      merchantId\n      memberships {\n        merchantId\n        role\n        merchant {\n          companyName\n        }\n      }\n    }\n  }\n": typeof types.SignInDocument,
    "\n  query CanCreateMerchant($address: String!) {\n    canCreateMerchant(address: $address)\n  }\n": typeof types.CanCreateMerchantDocument,
    "\n  mutation SignInToMerchant($merchantId: ID!) {\n    chooseMerchant(merchantId: $merchantId) {\n      merchantId\n    }\n  }\n": typeof types.SignInToMerchantDocument,
    "\n  mutation CancelSubscription($id: ID!, $when: CancelWhen!) {\n    cancelSubscription(subscription: $id, when: $when) {\n      subscription {\n        lifeId\n        status\n      }\n    }\n  }\n": typeof types.CancelSubscriptionDocument,
    "\n  query DiscountsToApply {\n    discounts(isActive: true, first: 100) {\n      edges {\n        node {\n          id\n          name\n          percentBps\n          amount\n          asset {\n            mint\n            symbol\n            decimals\n          }\n          periods\n          state\n          plans {\n            planId\n          }\n        }\n      }\n    }\n  }\n": typeof types.DiscountsToApplyDocument,
    "\n  mutation ApplyDiscount($id: ID!, $discountId: ID!) {\n    applyDiscount(subscription: $id, discountId: $discountId) {\n      lifeId\n    }\n  }\n": typeof types.ApplyDiscountDocument,
    "\n  mutation RemoveDiscount($id: ID!) {\n    removeDiscount(subscription: $id) {\n      lifeId\n    }\n  }\n": typeof types.RemoveDiscountDocument,
    "\n  query SubscriptionHistory($id: ID!, $first: Int) {\n    subscription(id: $id) {\n      history(first: $first) {\n        pageInfo {\n          hasNextPage\n        }\n        edges {\n          cursor\n          node {\n            at\n            item {\n              __typename\n              ... on Attempt {\n                attemptStatus: status\n                failureCode\n                amountRequired\n                balanceAvailable\n              }\n              ... on Event {\n                id\n                type\n              }\n              ... on Payment {\n                id\n                paymentStatus: status\n                amount\n                paidAmount\n                refundedAmount\n              }\n              ... on SubscriptionTransition {\n                to\n                reason\n              }\n            }\n          }\n        }\n      }\n    }\n  }\n": typeof types.SubscriptionHistoryDocument,
    "\n  query SubscriptionPage($id: ID!) {\n    subscription(id: $id) {\n      id\n      lifeId\n      status\n      createdAt\n      startedAt\n      trialGranted\n      nextPaymentAt\n      pausedFrom\n      pausedUntil\n      pauseKeepsAccess\n      nextAmount\n      limitLeft\n      price {\n        version\n        amount\n      }\n      upcomingPayment {\n        dueAt\n        total\n        lines {\n          text\n          amount\n        }\n      }\n      discount {\n        periodsLeft\n        fullPriceAt\n        discount {\n          id\n          name\n          percentBps\n          amount\n        }\n      }\n      nextAttemptAt\n      failureCount\n      cancelAtPeriodEnd\n      cancellationRequest {\n        reason\n        comment\n      }\n      cancelledAt\n      accessUntil\n      walletAddress\n      metadata\n      customer {\n        id\n        email\n        customerId\n      }\n      plan {\n        planId\n        name\n        amount\n        maxAmount\n        mint\n        asset {\n          mint\n          symbol\n          decimals\n        }\n        interval\n        trialPeriodSeconds\n      }\n      payments(first: 10) {\n        totalCount\n        edges {\n          node {\n            id\n            status\n            amount\n            paidAmount\n            refundedAmount\n            dueAt\n            paidAt\n            finalized\n            failureCode\n            signature\n            attempts {\n              status\n              failureCode\n              amountRequired\n              balanceAvailable\n            }\n          }\n        }\n      }\n    }\n  }\n": typeof types.SubscriptionPageDocument,
    "\n  mutation PauseSubscription($id: ID!, $periods: Int, $keepsAccess: Boolean!, $reason: String) {\n    pauseSubscription(subscription: $id, periods: $periods, keepsAccess: $keepsAccess, reason: $reason) {\n      lifeId\n    }\n  }\n": typeof types.PauseSubscriptionDocument,
    "\n  mutation SkipNextPayment($id: ID!, $keepsAccess: Boolean!, $reason: String) {\n    skipNextPayment(subscription: $id, keepsAccess: $keepsAccess, reason: $reason) {\n      lifeId\n    }\n  }\n": typeof types.SkipNextPaymentDocument,
    "\n  mutation GrantFreePeriods($id: ID!, $count: Int!, $reason: String) {\n    grantFreePeriods(subscription: $id, count: $count, reason: $reason) {\n      lifeId\n    }\n  }\n": typeof types.GrantFreePeriodsDocument,
    "\n  mutation WaivePayment($id: ID!, $reason: String) {\n    waivePayment(subscription: $id, reason: $reason) {\n      lifeId\n    }\n  }\n": typeof types.WaivePaymentDocument,
    "\n  mutation UnpauseSubscription($id: ID!, $chargeNow: Boolean!) {\n    unpauseSubscription(subscription: $id, chargeNow: $chargeNow) {\n      lifeId\n    }\n  }\n": typeof types.UnpauseSubscriptionDocument,
    "\n  mutation RetryPayment($id: ID!) {\n    retryPayment(subscription: $id) {\n      lifeId\n    }\n  }\n": typeof types.RetryPaymentDocument,
    "\n  mutation UndoCancellation($id: ID!) {\n    undoCancellation(subscription: $id) {\n      lifeId\n    }\n  }\n": typeof types.UndoCancellationDocument,
    "\n  query WalletStateNow($id: ID!) {\n    subscription(id: $id) {\n      walletState {\n        balance\n        approval\n        frozen\n        runwayPeriods\n        checkedAt\n      }\n    }\n  }\n": typeof types.WalletStateNowDocument,
    "\n  query SubscriptionRows(\n    $filter: SubscriptionFilter\n    $orderBy: SubscriptionOrder\n    $first: Int\n    $after: String\n    $last: Int\n    $before: String\n  ) {\n    subscriptionsConnection(\n      filter: $filter\n      orderBy: $orderBy\n      first: $first\n      after: $after\n      last: $last\n      before: $before\n    ) {\n      totalCount\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n      edges {\n        node {\n          lifeId\n          status\n          createdAt\n          nextPaymentAt\n          nextAmount\n          accessUntil\n          cancelAtPeriodEnd\n          paymentCount\n          walletAddress\n          customer {\n            email\n          }\n          plan {\n            name\n            mint\n            asset {\n              mint\n              symbol\n              decimals\n            }\n            interval\n          }\n        }\n      }\n    }\n  }\n": typeof types.SubscriptionRowsDocument,
    "\n  query SubscriptionTabs {\n    subscriptionCounts {\n      total\n      active\n      pastDue\n      cancelled\n      expired\n    }\n  }\n": typeof types.SubscriptionTabsDocument,
    "\n  mutation InviteMember($walletAddress: String!, $role: MemberRole!) {\n    inviteMember(walletAddress: $walletAddress, role: $role) {\n      id\n    }\n  }\n": typeof types.InviteMemberDocument,
    "\n  mutation RenameMember($id: ID!, $name: String) {\n    renameMember(id: $id, name: $name) {\n      id\n    }\n  }\n": typeof types.RenameMemberDocument,
    "\n  mutation ChangeMemberRole($id: ID!, $role: MemberRole!) {\n    changeMemberRole(id: $id, role: $role) {\n      id\n    }\n  }\n": typeof types.ChangeMemberRoleDocument,
    "\n  mutation RemoveMember($id: ID!) {\n    removeMember(id: $id) {\n      id\n    }\n  }\n": typeof types.RemoveMemberDocument,
    "\n  query TeamPage($first: Int, $after: String, $last: Int, $before: String) {\n    members(first: $first, after: $after, last: $last, before: $before) {\n      totalCount\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n      edges {\n        node {\n          id\n          name\n          role\n          walletAddress\n          createdAt\n        }\n      }\n    }\n  }\n": typeof types.TeamPageDocument,
    "\n  mutation UpdateEndpoint($id: ID!, $input: UpdateWebhookEndpointInput!) {\n    updateWebhookEndpoint(id: $id, input: $input) {\n      id\n      status\n    }\n  }\n": typeof types.UpdateEndpointDocument,
    "\n  mutation RotateSecret($id: ID!) {\n    rotateWebhookSecret(id: $id) {\n      secret\n    }\n  }\n": typeof types.RotateSecretDocument,
    "\n  mutation DeleteEndpoint($id: ID!) {\n    deleteWebhookEndpoint(id: $id) {\n      id\n    }\n  }\n": typeof types.DeleteEndpointDocument,
    "\n  query EndpointPage($id: ID!) {\n    webhookEndpoint(id: $id) {\n      id\n      url\n      status\n      eventTypes\n      maxPerSecond\n      maxConcurrency\n      createdAt\n      disabledReason\n      failingSince\n      pausedUntil\n      previousSecretUntil\n      stats(hours: 24) {\n        delivered\n        failed\n        pending\n        p50Ms\n        p95Ms\n      }\n    }\n    pending: webhookDeliveries(filter: { endpointId: $id, status: PENDING }, first: 1) {\n      totalCount\n    }\n    failed: webhookDeliveries(filter: { endpointId: $id, status: FAILED }, first: 1) {\n      totalCount\n    }\n  }\n": typeof types.EndpointPageDocument,
    "\n  mutation ReplayEvents($input: ReplayWebhooksInput!, $dryRun: Boolean!) {\n    replayWebhooks(input: $input, dryRun: $dryRun) {\n      count\n    }\n  }\n": typeof types.ReplayEventsDocument,
    "\n  mutation EndSecretOverlap($id: ID!, $previousSecretUntil: DateTime!) {\n    endWebhookSecretOverlap(id: $id, previousSecretUntil: $previousSecretUntil) {\n      id\n    }\n  }\n": typeof types.EndSecretOverlapDocument,
    "\n  mutation SendTest($endpointId: ID!, $type: String) {\n    sendTestWebhook(endpointId: $endpointId, type: $type) {\n      id\n    }\n  }\n": typeof types.SendTestDocument,
    "\n  mutation CreateEndpoint($url: String!, $eventTypes: [String!], $maxPerSecond: Int, $maxConcurrency: Int) {\n    createWebhookEndpoint(\n      url: $url\n      eventTypes: $eventTypes\n      maxPerSecond: $maxPerSecond\n      maxConcurrency: $maxConcurrency\n    ) {\n      secret\n      endpoint {\n        id\n      }\n    }\n  }\n": typeof types.CreateEndpointDocument,
    "\n  query DeliveryRows($filter: WebhookDeliveryFilter, $first: Int, $after: String, $last: Int, $before: String) {\n    webhookDeliveries(filter: $filter, first: $first, after: $after, last: $last, before: $before) {\n      totalCount\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n      edges {\n        node {\n          id\n          status\n          createdAt\n          attemptCount\n          nextAttemptAt\n          isReplay\n          attempts {\n            statusCode\n            error\n          }\n          event {\n            type\n          }\n          endpoint {\n            url\n          }\n        }\n      }\n    }\n  }\n": typeof types.DeliveryRowsDocument,
    "\n  query EventTypes {\n    eventTypes {\n      type\n      description\n    }\n  }\n": typeof types.EventTypesDocument,
    "\n  query EndpointRows {\n    webhookEndpoints(first: 20) {\n      edges {\n        node {\n          id\n          url\n          status\n          eventTypes\n          createdAt\n          disabledReason\n          failingSince\n          pausedUntil\n        }\n      }\n    }\n  }\n": typeof types.EndpointRowsDocument,
    "\n  subscription DeliveryUpdated($endpointId: ID) {\n    webhookDeliveryUpdated(endpointId: $endpointId) {\n      id\n    }\n  }\n": typeof types.DeliveryUpdatedDocument,
    "\n  mutation ChooseMerchant($merchantId: ID!) {\n    chooseMerchant(merchantId: $merchantId) {\n      merchantId\n    }\n  }\n": typeof types.ChooseMerchantDocument,
    "\n  mutation SignOut {\n    signOut\n  }\n": typeof types.SignOutDocument,
    "\n  mutation SignOutEverywhere {\n    signOutEverywhere\n  }\n": typeof types.SignOutEverywhereDocument,
    "\n  query Search($text: String!) {\n    search(text: $text) {\n      id\n      kind\n      label\n      detail\n    }\n  }\n": typeof types.SearchDocument,
    "\n  mutation ConfirmRestoreCheck($number: Int!) {\n    confirmRestoreCheck(number: $number) {\n      checkedAt\n    }\n  }\n": typeof types.ConfirmRestoreCheckDocument,
    "\n  query BillingClock {\n    cluster {\n      canMoveTime\n      now\n    }\n  }\n": typeof types.BillingClockDocument,
    "\n  mutation MoveTime($seconds: Int!) {\n    advanceTestClock(seconds: $seconds)\n  }\n": typeof types.MoveTimeDocument,
    "\n  query ClusterFacts {\n    cluster {\n      chain\n      explorerUrl\n      isLocal\n      canMoveTime\n    }\n  }\n": typeof types.ClusterFactsDocument,
    "\n  query EventsCursor {\n    eventsCursor\n  }\n": typeof types.EventsCursorDocument,
    "\n  subscription EventsFollowed($after: String) {\n    events(after: $after) {\n      cursor\n      id\n      type\n      createdAt\n      sequence\n      data\n    }\n  }\n": typeof types.EventsFollowedDocument,
    "\n  query PlanNames {\n    plans(first: 100) {\n      edges {\n        node {\n          planId\n          name\n          mint\n          asset {\n            mint\n            symbol\n            decimals\n          }\n        }\n      }\n    }\n  }\n": typeof types.PlanNamesDocument,
    "\n  query PlanName($planId: String!) {\n    plan(planId: $planId) {\n      name\n    }\n  }\n": typeof types.PlanNameDocument,
    "\n  subscription PaymentFinalized {\n    paymentRecorded {\n      finalized\n    }\n  }\n": typeof types.PaymentFinalizedDocument,
    "\n  query Viewer {\n    viewer {\n      memberId\n      walletAddress\n      role\n      merchantId\n      merchant {\n        companyName\n        logoUrl\n        walletAddress\n      }\n      uncheckedRestore {\n        number\n        lostFrom\n        lostUntil\n        isCollecting\n      }\n      memberships {\n        merchantId\n        role\n        merchant {\n          companyName\n        }\n      }\n    }\n  }\n": typeof types.ViewerDocument,
};
const documents: Documents = {
    "\n  query AuditActors {\n    members(first: 100) {\n      edges {\n        node {\n          id\n          name\n          walletAddress\n        }\n      }\n    }\n    apiKeys(first: 100) {\n      edges {\n        node {\n          id\n          name\n          lastFour\n        }\n      }\n    }\n  }\n": types.AuditActorsDocument,
    "\n  query AuditPage($filter: AuditLogFilter, $first: Int, $after: String, $last: Int, $before: String) {\n    auditLog(filter: $filter, first: $first, after: $after, last: $last, before: $before) {\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n      edges {\n        node {\n          id\n          action\n          actor\n          actorId\n          actorName\n          changes\n          createdAt\n          environment\n          ipAddress\n          requestId\n          targetId\n          userAgent\n        }\n      }\n    }\n  }\n": types.AuditPageDocument,
    "\n  query CustomerAccess($customerId: String!) {\n    customerState(customerId: $customerId) {\n      hasAccess\n      features {\n        key\n        limit\n      }\n      subscriptions {\n        subscriptionId\n        planId\n        hasAccess\n        until\n        reason\n        startedAt\n      }\n    }\n  }\n": types.CustomerAccessDocument,
    "\n  mutation UpdateBillingDetails($id: ID!, $input: BillingDetailsInput!) {\n    updateBillingDetails(id: $id, input: $input) {\n      id\n    }\n  }\n": types.UpdateBillingDetailsDocument,
    "\n  mutation UpdateCustomerEmail($id: ID!, $email: String!) {\n    updateCustomer(id: $id, email: $email) {\n      id\n    }\n  }\n": types.UpdateCustomerEmailDocument,
    "\n  query CustomerPage($id: ID!) {\n    customer(id: $id) {\n      id\n      email\n      customerId\n      walletAddress\n      createdAt\n      billingName\n      billingAddress\n      taxId\n      totalPaid {\n        mint\n        amount\n        asset {\n          mint\n          symbol\n          decimals\n        }\n      }\n      nextCharge {\n        at\n        amount {\n          mint\n          amount\n          asset {\n            mint\n            symbol\n            decimals\n          }\n        }\n      }\n      payments(first: 10) {\n        totalCount\n        edges {\n          node {\n            id\n            status\n            amount\n            paidAmount\n            refundedAmount\n            dueAt\n            failureCode\n            subscription {\n              plan {\n                name\n                mint\n                asset {\n                  mint\n                  symbol\n                  decimals\n                }\n              }\n            }\n          }\n        }\n      }\n      subscriptions(first: 25) {\n        totalCount\n        edges {\n          node {\n            lifeId\n            status\n            createdAt\n            nextPaymentAt\n            nextAmount\n            paymentCount\n            plan {\n              name\n              mint\n              asset {\n                mint\n                symbol\n                decimals\n              }\n              interval\n            }\n          }\n        }\n      }\n    }\n  }\n": types.CustomerPageDocument,
    "\n  query CustomerRows(\n    $search: String\n    $from: DateTime\n    $to: DateTime\n    $first: Int\n    $after: String\n    $last: Int\n    $before: String\n  ) {\n    customers(\n      search: $search\n      from: $from\n      to: $to\n      first: $first\n      after: $after\n      last: $last\n      before: $before\n    ) {\n      totalCount\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n      edges {\n        node {\n          id\n          email\n          customerId\n          walletAddress\n          createdAt\n        }\n      }\n    }\n  }\n": types.CustomerRowsDocument,
    "\n  query DeliveryPage($id: ID!) {\n    webhookDelivery(id: $id) {\n      id\n      status\n      createdAt\n      nextAttemptAt\n      isReplay\n      body\n      attempts {\n        number\n        startedAt\n        durationMs\n        statusCode\n        error\n        responseBody\n        requestHeaders {\n          name\n          value\n        }\n      }\n      event {\n        id\n        type\n        subscription {\n          lifeId\n          customer {\n            email\n          }\n        }\n      }\n      endpoint {\n        id\n        url\n        status\n      }\n    }\n  }\n": types.DeliveryPageDocument,
    "\n  mutation ResendDelivery($id: ID!) {\n    resendWebhook(deliveryId: $id) {\n      id\n    }\n  }\n": types.ResendDeliveryDocument,
    "\n  query PlansToDiscount {\n    plans(first: 100, status: ACTIVE) {\n      edges {\n        node {\n          planId\n          name\n          amount\n          maxAmount\n          mint\n          asset {\n            mint\n            symbol\n            decimals\n          }\n          interval\n        }\n      }\n    }\n  }\n": types.PlansToDiscountDocument,
    "\n  mutation CreateDiscount($input: CreateDiscountInput!) {\n    createDiscount(input: $input) {\n      id\n      name\n    }\n  }\n": types.CreateDiscountDocument,
    "\n  query DiscountPage($id: ID!) {\n    discount(id: $id) {\n      id\n      name\n      code\n      percentBps\n      amount\n      asset {\n        mint\n        symbol\n        decimals\n      }\n      periods\n      plans {\n        planId\n        name\n      }\n      maxRedemptions\n      maxPerCustomer\n      firstPurchaseOnly\n      startsAt\n      endsAt\n      isActive\n      state\n      taken\n      createdAt\n    }\n  }\n": types.DiscountPageDocument,
    "\n  mutation UpdateDiscount($id: ID!, $input: UpdateDiscountInput!) {\n    updateDiscount(id: $id, input: $input) {\n      id\n      isActive\n    }\n  }\n": types.UpdateDiscountDocument,
    "\n  query DiscountUses($id: ID!, $first: Int, $after: String, $last: Int, $before: String) {\n    discount(id: $id) {\n      redemptions(first: $first, after: $after, last: $last, before: $before) {\n        totalCount\n        pageInfo {\n          hasNextPage\n          hasPreviousPage\n          startCursor\n          endCursor\n        }\n        edges {\n          node {\n            id\n            status\n            createdAt\n            subscription {\n              lifeId\n              customer {\n                email\n              }\n              plan {\n                name\n              }\n            }\n          }\n        }\n      }\n    }\n  }\n": types.DiscountUsesDocument,
    "\n  query DiscountRows($isActive: Boolean, $first: Int, $after: String, $last: Int, $before: String) {\n    discounts(isActive: $isActive, first: $first, after: $after, last: $last, before: $before) {\n      totalCount\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n      edges {\n        node {\n          id\n          name\n          code\n          percentBps\n          amount\n          asset {\n            mint\n            symbol\n            decimals\n          }\n          periods\n          plans {\n            planId\n            name\n          }\n          maxRedemptions\n          taken\n          state\n          startsAt\n          endsAt\n        }\n      }\n    }\n  }\n": types.DiscountRowsDocument,
    "\n  query EventPage($id: ID!) {\n    event(id: $id) {\n      id\n      type\n      createdAt\n      sequence\n      data\n      subscription {\n        lifeId\n        customer {\n          email\n        }\n      }\n      deliveries {\n        id\n        status\n        attemptCount\n        endpoint {\n          url\n          status\n        }\n      }\n    }\n  }\n": types.EventPageDocument,
    "\n  mutation ResendEvent($id: ID!) {\n    resendEvent(eventId: $id) {\n      id\n    }\n  }\n": types.ResendEventDocument,
    "\n  query EventRows($filter: EventFilter, $first: Int, $after: String, $last: Int, $before: String) {\n    events(filter: $filter, first: $first, after: $after, last: $last, before: $before) {\n      totalCount\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n      edges {\n        node {\n          id\n          type\n          createdAt\n          sequence\n          data\n        }\n      }\n    }\n  }\n": types.EventRowsDocument,
    "\n  mutation TriggerSample($type: String!) {\n    triggerEvent(type: $type) {\n      id\n    }\n  }\n": types.TriggerSampleDocument,
    "\n  query HealthPage {\n    serviceHealth {\n      collectors {\n        environment\n        role\n        address\n        lamports\n        daysLeft\n        canPay\n      }\n      mirror {\n        state\n        slotsBehind\n        silentSeconds\n        doubt\n      }\n      checkedAt\n    }\n  }\n": types.HealthPageDocument,
    "\n  mutation CreateKey($name: String!, $scopes: [ApiKeyScope!], $expiresAt: DateTime) {\n    createApiKey(name: $name, scopes: $scopes, expiresAt: $expiresAt) {\n      apiKey\n    }\n  }\n": types.CreateKeyDocument,
    "\n  query ApiKeyRows($first: Int, $after: String, $last: Int, $before: String) {\n    apiKeys(first: $first, after: $after, last: $last, before: $before) {\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n      edges {\n        node {\n          id\n          name\n          prefix\n          lastFour\n          scopes\n          isValid\n          createdAt\n          lastUsedAt\n          expiresAt\n          revokedAt\n          replacedBy {\n            id\n            name\n            lastFour\n          }\n        }\n      }\n    }\n  }\n": types.ApiKeyRowsDocument,
    "\n  mutation RevokeKey($id: ID!) {\n    revokeApiKey(id: $id) {\n      id\n    }\n  }\n": types.RevokeKeyDocument,
    "\n  mutation RotateKey($id: ID!, $overlapSeconds: Int) {\n    rotateApiKey(id: $id, overlapSeconds: $overlapSeconds) {\n      apiKey\n    }\n  }\n": types.RotateKeyDocument,
    "\n  query PlansToLink {\n    plans(first: 100, status: ACTIVE) {\n      edges {\n        node {\n          planId\n          name\n        }\n      }\n    }\n  }\n": types.PlansToLinkDocument,
    "\n  mutation CreateLink($input: CreatePaymentLinkInput!) {\n    createPaymentLink(input: $input) {\n      id\n      url\n      qrSvgUrl\n      qrPngUrl\n      embedScriptUrl\n      name\n      plan {\n        name\n      }\n    }\n  }\n": types.CreateLinkDocument,
    "\n  query PaymentLinkRows(\n    $planId: String\n    $active: Boolean\n    $first: Int\n    $after: String\n    $last: Int\n    $before: String\n  ) {\n    paymentLinks(\n      planId: $planId\n      active: $active\n      first: $first\n      after: $after\n      last: $last\n      before: $before\n    ) {\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n      edges {\n        node {\n          id\n          url\n          qrSvgUrl\n          qrPngUrl\n          embedScriptUrl\n          name\n          active\n          allowsCodes\n          openedCount\n          completedCount\n          createdAt\n          plan {\n            planId\n            name\n          }\n        }\n      }\n    }\n  }\n": types.PaymentLinkRowsDocument,
    "\n  mutation SwitchPaymentLink($id: ID!, $active: Boolean!) {\n    updatePaymentLink(id: $id, input: { active: $active }) {\n      id\n      active\n    }\n  }\n": types.SwitchPaymentLinkDocument,
    "\n  mutation DismissOnboarding {\n    dismissOnboarding {\n      dismissedAt\n    }\n  }\n": types.DismissOnboardingDocument,
    "\n  query SoldPlan {\n    plans(first: 1, status: ACTIVE) {\n      edges {\n        node {\n          planId\n        }\n      }\n    }\n  }\n": types.SoldPlanDocument,
    "\n  query OnboardingSteps {\n    onboarding {\n      dismissedAt\n      steps {\n        step\n        doneAt\n      }\n    }\n  }\n": types.OnboardingStepsDocument,
    "\n  query CheckoutConversion($from: String!, $to: String!) {\n    checkoutConversion(from: $from, to: $to) {\n      day\n      created\n      completed\n      expired\n    }\n  }\n": types.CheckoutConversionDocument,
    "\n  query LatestEvents {\n    events(first: 10) {\n      edges {\n        node {\n          id\n          type\n          createdAt\n          data\n        }\n      }\n    }\n  }\n": types.LatestEventsDocument,
    "\n  query MetricsOverview($from: String!, $to: String!, $planId: String) {\n    metrics(from: $from, to: $to, planId: $planId) {\n      days {\n        day\n        active\n        pastDue\n        new\n        resumed\n        churned\n        failed\n        mrr {\n          mint\n          amount\n          asset {\n            mint\n            symbol\n            decimals\n          }\n        }\n        mrrMovement {\n          mint\n          new\n          reactivation\n          expansion\n          contraction\n          churn\n          moved\n        }\n        collected {\n          mint\n          amount\n          asset {\n            mint\n            symbol\n            decimals\n          }\n        }\n        failedByCode {\n          code\n          count\n        }\n      }\n      total {\n        new\n        churnRate\n        failed\n        recovered\n        expired\n        collected {\n          mint\n          amount\n          asset {\n            mint\n            symbol\n            decimals\n          }\n        }\n        refunded {\n          mint\n          amount\n          asset {\n            mint\n            symbol\n            decimals\n          }\n        }\n        recoveredAmount {\n          mint\n          amount\n          asset {\n            mint\n            symbol\n            decimals\n          }\n        }\n      }\n      previous {\n        days {\n          active\n          pastDue\n          new\n          mrr {\n            mint\n            amount\n            asset {\n              mint\n              symbol\n              decimals\n            }\n          }\n          collected {\n            mint\n            amount\n            asset {\n              mint\n              symbol\n              decimals\n            }\n          }\n        }\n        total {\n          new\n          churnRate\n          failed\n          collected {\n            mint\n            amount\n            asset {\n              mint\n              symbol\n              decimals\n            }\n          }\n        }\n      }\n    }\n  }\n": types.MetricsOverviewDocument,
    "\n  query Problems {\n    plans(first: 100, status: ACTIVE) {\n      edges {\n        node {\n          planId\n          name\n          problem\n        }\n      }\n    }\n    webhookEndpoints(first: 20) {\n      edges {\n        node {\n          id\n          url\n          status\n          failingSince\n          disabledReason\n        }\n      }\n    }\n  }\n": types.ProblemsDocument,
    "\n  query HealthProblems {\n    serviceHealth {\n      collectors {\n        role\n        canPay\n        daysLeft\n      }\n      mirror {\n        state\n      }\n    }\n  }\n": types.HealthProblemsDocument,
    "\n  query UpcomingCharges($until: String!) {\n    upcomingCharges(until: $until) {\n      day\n      count\n      amount {\n        mint\n        amount\n        asset {\n          mint\n          symbol\n          decimals\n        }\n      }\n    }\n  }\n": types.UpcomingChargesDocument,
    "\n  query UpcomingShort($until: String!) {\n    upcomingCharges(until: $until) {\n      day\n      short\n      shortChecked\n    }\n  }\n": types.UpcomingShortDocument,
    "\n  query NextPayment {\n    subscriptionsConnection(first: 1, orderBy: NEXT_PAYMENT) {\n      edges {\n        node {\n          nextPaymentAt\n        }\n      }\n    }\n  }\n": types.NextPaymentDocument,
    "\n  mutation CreateRefund($input: CreateRefundInput!) {\n    createRefund(input: $input) {\n      id\n    }\n  }\n": types.CreateRefundDocument,
    "\n  query PaymentPage($id: ID!) {\n    payment(id: $id) {\n      id\n      status\n      amount\n      paidAmount\n      lines {\n        kind\n        text\n        amount\n      }\n      number\n      dueAt\n      periodEnd\n      paidAt\n      finalized\n      collectedByUs\n      feeLamports\n      signature\n      refundedAmount\n      excessRefundedAmount\n      refundableAmount\n      refunds {\n        id\n        status\n        amount\n        reason\n        signature\n        solanaPayUrl\n        inFlight\n        sentSignature\n        excess {\n          signature\n          amount\n        }\n        createdAt\n      }\n      receipt {\n        number\n        url\n      }\n      attempts {\n        status\n        createdAt\n        settledAt\n        failureCode\n        amountRequired\n        balanceAvailable\n      }\n      mails {\n        id\n        template\n        recipient\n        status\n        error\n        createdAt\n        sentAt\n      }\n      customer {\n        id\n        email\n      }\n      subscription {\n        lifeId\n        walletAddress\n        plan {\n          planId\n          name\n          mint\n          merchant {\n            walletAddress\n          }\n          asset {\n            mint\n            symbol\n            decimals\n          }\n        }\n      }\n    }\n    events(filter: { paymentId: $id }, first: 20) {\n      totalCount\n      edges {\n        node {\n          id\n          type\n          createdAt\n          deliveries {\n            id\n            status\n            lastStatusCode\n            endpoint {\n              url\n            }\n          }\n        }\n      }\n    }\n  }\n": types.PaymentPageDocument,
    "\n  mutation RefundTransaction($id: ID!) {\n    refundTransaction(id: $id) {\n      transaction\n    }\n  }\n": types.RefundTransactionDocument,
    "\n  query RefundInFlight($id: ID!) {\n    refund(id: $id) {\n      status\n      inFlight\n    }\n  }\n": types.RefundInFlightDocument,
    "\n  mutation CancelRefund($id: ID!) {\n    cancelRefund(id: $id) {\n      id\n    }\n  }\n": types.CancelRefundDocument,
    "\n  query PaymentRows($filter: PaymentFilter, $first: Int, $after: String, $last: Int, $before: String) {\n    payments(filter: $filter, first: $first, after: $after, last: $last, before: $before) {\n      totalCount\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n      edges {\n        node {\n          id\n          status\n          amount\n          paidAmount\n          refundedAmount\n          dueAt\n          paidAt\n          signature\n          failureCode\n          subscription {\n            customer {\n              email\n            }\n            plan {\n              name\n              mint\n              asset {\n                mint\n                symbol\n                decimals\n              }\n            }\n          }\n        }\n      }\n    }\n  }\n": types.PaymentRowsDocument,
    "\n  query PlanAssets {\n    assets {\n      mint\n      symbol\n      name\n      decimals\n      isDefault\n    }\n    plans(first: 1) {\n      totalCount\n    }\n    settings {\n      graceSeconds\n    }\n  }\n": types.PlanAssetsDocument,
    "\n  mutation CreatePlanDraft($input: CreatePlanInput!) {\n    createPlan(input: $input) {\n      plan {\n        planId\n        name\n      }\n    }\n  }\n": types.CreatePlanDraftDocument,
    "\n  mutation RepairPlan($planId: String!) {\n    repairPlanTransaction(planId: $planId) {\n      transaction\n    }\n  }\n": types.RepairPlanDocument,
    "\n  mutation DeletePlanAccount($planId: String!) {\n    deletePlanTransaction(planId: $planId) {\n      transaction\n    }\n  }\n": types.DeletePlanAccountDocument,
    "\n  mutation ClosePlan($planId: String!, $endsAt: DateTime!) {\n    sunsetPlanTransaction(planId: $planId, endsAt: $endsAt) {\n      transaction\n    }\n  }\n": types.ClosePlanDocument,
    "\n  mutation DeletePlanDraft($planId: String!) {\n    deletePlanDraft(planId: $planId)\n  }\n": types.DeletePlanDraftDocument,
    "\n  query PreviewFeatures($planId: String!, $features: [FeatureInput!]!) {\n    previewFeatures(planId: $planId, features: $features) {\n      added\n      removed\n      changed\n      subscriptionCount\n    }\n  }\n": types.PreviewFeaturesDocument,
    "\n  query PlanDetail($planId: String!) {\n    plan(planId: $planId) {\n      planId\n      name\n      description\n      imageUrl\n      maxPausedPeriods\n      address\n      amount\n      maxAmount\n      prices {\n        id\n        version\n        amount\n        createdAt\n        retiredAt\n      }\n      mint\n      asset {\n        mint\n        symbol\n        name\n        decimals\n      }\n      interval\n      trialPeriodSeconds\n      status\n      problem\n      revenue\n      paymentCount\n      createdAt\n      publishedAt\n      endsAt\n      features {\n        key\n        limit\n      }\n      graceSeconds\n      retryPolicy\n      collectWithinSeconds\n      subscribers {\n        active\n        pastDue\n        cancelled\n        expired\n      }\n      merchant {\n        walletAddress\n      }\n    }\n    settings {\n      graceSeconds\n    }\n  }\n": types.PlanDetailDocument,
    "\n  mutation UpdatePlan($planId: String!, $input: UpdatePlanInput!) {\n    updatePlan(planId: $planId, input: $input) {\n      planId\n    }\n  }\n": types.UpdatePlanDocument,
    "\n  subscription PlanFollowed($planId: String!) {\n    planUpdated(planId: $planId) {\n      status\n      problem\n      endsAt\n      name\n      description\n      imageUrl\n    }\n  }\n": types.PlanFollowedDocument,
    "\n  mutation CreatePrice($planId: String!, $amount: TokenAmount!) {\n    createPrice(planId: $planId, amount: $amount) {\n      version\n    }\n  }\n": types.CreatePriceDocument,
    "\n  mutation RetirePrice($priceId: ID!) {\n    retirePrice(priceId: $priceId) {\n      version\n    }\n  }\n": types.RetirePriceDocument,
    "\n  mutation PublishPlan($planId: String!) {\n    publishPlanTransaction(planId: $planId) {\n      transaction\n    }\n  }\n": types.PublishPlanDocument,
    "\n  query LinkOfPlan($planId: String!) {\n    paymentLinks(planId: $planId, active: true, first: 1) {\n      edges {\n        node {\n          id\n          url\n          qrSvgUrl\n          qrPngUrl\n          embedScriptUrl\n          plan {\n            name\n          }\n        }\n      }\n    }\n  }\n": types.LinkOfPlanDocument,
    "\n  mutation CreateLinkOfPlan($planId: String!) {\n    createPaymentLink(input: { planId: $planId }) {\n      id\n    }\n  }\n": types.CreateLinkOfPlanDocument,
    "\n  mutation OpenTestCheckout($input: CreateCheckoutSessionInput!) {\n    createCheckoutSession(input: $input) {\n      url\n    }\n  }\n": types.OpenTestCheckoutDocument,
    "\n  query PlanRows($status: PlanStatus, $first: Int, $after: String, $last: Int, $before: String) {\n    plans(status: $status, first: $first, after: $after, last: $last, before: $before) {\n      totalCount\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n      edges {\n        node {\n          planId\n          name\n          amount\n          mint\n          asset {\n            mint\n            symbol\n            decimals\n          }\n          interval\n          trialPeriodSeconds\n          status\n          problem\n          revenue\n          publishedAt\n          endsAt\n          subscribers {\n            active\n            pastDue\n          }\n        }\n      }\n    }\n  }\n": types.PlanRowsDocument,
    "\n  subscription PlanRowUpdated {\n    planUpdated {\n      planId\n    }\n  }\n": types.PlanRowUpdatedDocument,
    "\n  query ReceiptRows($filter: ReceiptFilter, $first: Int, $after: String, $last: Int, $before: String) {\n    receipts(filter: $filter, first: $first, after: $after, last: $last, before: $before) {\n      totalCount\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n      edges {\n        node {\n          number\n          issuedAt\n          url\n          pdfUrl\n          document\n          payment {\n            id\n            refundedAmount\n          }\n        }\n      }\n    }\n  }\n": types.ReceiptRowsDocument,
    "\n  mutation UpdateProfile($input: MerchantProfileInput!) {\n    updateMerchantProfile(input: $input) {\n      companyName\n    }\n  }\n": types.UpdateProfileDocument,
    "\n  mutation UploadLogo($png: String!) {\n    uploadLogo(png: $png) {\n      logoUrl\n    }\n  }\n": types.UploadLogoDocument,
    "\n  mutation RemoveLogo {\n    updateMerchantProfile(input: { logoUrl: null }) {\n      logoUrl\n    }\n  }\n": types.RemoveLogoDocument,
    "\n  query MailPreview($template: MailTemplate!) {\n    mailPreview(template: $template) {\n      subject\n      text\n    }\n  }\n": types.MailPreviewDocument,
    "\n  mutation UpdateMailSettings($input: UpdateMailSettingsInput!) {\n    updateMailSettings(input: $input) {\n      templates\n    }\n  }\n": types.UpdateMailSettingsDocument,
    "\n  query SettingsPage {\n    merchant {\n      companyName\n      logoUrl\n      brandColor\n      supportEmail\n      legalName\n      postalAddress\n      taxId\n      walletAddress\n    }\n    settings {\n      maxFailures\n      retryDelaysSeconds\n      graceSeconds\n      redirectUrlsAllowed\n      sponsorsCustomers\n      sponsoredLamportsPerDay\n    }\n    mailSettings {\n      templates\n      merchantEmail\n      reminderDays\n      isAvailable\n    }\n  }\n": types.SettingsPageDocument,
    "\n  query ReceivingAccountsCard {\n    receivingAccounts {\n      asset {\n        mint\n        symbol\n        decimals\n      }\n      count\n      accounts {\n        number\n        address\n        state\n        isUsed\n        balance\n      }\n    }\n  }\n": types.ReceivingAccountsCardDocument,
    "\n  mutation SetReceivingAccounts($mint: String!, $count: Int!) {\n    setReceivingAccounts(mint: $mint, count: $count) {\n      count\n    }\n  }\n": types.SetReceivingAccountsDocument,
    "\n  mutation CreateReceivingAccounts($mint: String!) {\n    receivingAccountsTransaction(mint: $mint) {\n      transaction\n    }\n  }\n": types.CreateReceivingAccountsDocument,
    "\n  mutation SweepReceivingAccounts($mint: String!) {\n    sweepReceivingAccountsTransaction(mint: $mint) {\n      transaction\n    }\n  }\n": types.SweepReceivingAccountsDocument,
    "\n  query OwnSessions {\n    viewer {\n      sessions {\n        id\n        isCurrent\n        merchant {\n          companyName\n        }\n        createdAt\n        idleUntil\n        expiresAt\n        ipAddress\n        userAgent\n      }\n    }\n  }\n": types.OwnSessionsDocument,
    "\n  mutation EndMemberSession($id: ID!) {\n    endMemberSession(id: $id)\n  }\n": types.EndMemberSessionDocument,
    "\n  mutation UpdateSettings($input: UpdateSettingsInput!) {\n    updateSettings(input: $input) {\n      maxFailures\n    }\n  }\n": types.UpdateSettingsDocument,
    "\n  mutation CreateMerchant($companyName: String!, $output: SignInOutput) {\n    createMerchant(companyName: $companyName, output: $output) {\n      merchantId\n    }\n  }\n": types.CreateMerchantDocument,
    "\n  mutation SignInInput($address: String) {\n    signInInput(address: $address) {\n      address\n      chainId\n      domain\n      expirationTime\n      issuedAt\n      nonce\n      statement\n      uri\n      version\n    }\n  }\n": types.SignInInputDocument,
    "\n  mutation SignIn($output: SignInOutput!) {\n    signIn(output: $output) {\n      merchantId\n      memberships {\n        merchantId\n        role\n        merchant {\n          companyName\n        }\n      }\n    }\n  }\n": types.SignInDocument,
    "\n  query CanCreateMerchant($address: String!) {\n    canCreateMerchant(address: $address)\n  }\n": types.CanCreateMerchantDocument,
    "\n  mutation SignInToMerchant($merchantId: ID!) {\n    chooseMerchant(merchantId: $merchantId) {\n      merchantId\n    }\n  }\n": types.SignInToMerchantDocument,
    "\n  mutation CancelSubscription($id: ID!, $when: CancelWhen!) {\n    cancelSubscription(subscription: $id, when: $when) {\n      subscription {\n        lifeId\n        status\n      }\n    }\n  }\n": types.CancelSubscriptionDocument,
    "\n  query DiscountsToApply {\n    discounts(isActive: true, first: 100) {\n      edges {\n        node {\n          id\n          name\n          percentBps\n          amount\n          asset {\n            mint\n            symbol\n            decimals\n          }\n          periods\n          state\n          plans {\n            planId\n          }\n        }\n      }\n    }\n  }\n": types.DiscountsToApplyDocument,
    "\n  mutation ApplyDiscount($id: ID!, $discountId: ID!) {\n    applyDiscount(subscription: $id, discountId: $discountId) {\n      lifeId\n    }\n  }\n": types.ApplyDiscountDocument,
    "\n  mutation RemoveDiscount($id: ID!) {\n    removeDiscount(subscription: $id) {\n      lifeId\n    }\n  }\n": types.RemoveDiscountDocument,
    "\n  query SubscriptionHistory($id: ID!, $first: Int) {\n    subscription(id: $id) {\n      history(first: $first) {\n        pageInfo {\n          hasNextPage\n        }\n        edges {\n          cursor\n          node {\n            at\n            item {\n              __typename\n              ... on Attempt {\n                attemptStatus: status\n                failureCode\n                amountRequired\n                balanceAvailable\n              }\n              ... on Event {\n                id\n                type\n              }\n              ... on Payment {\n                id\n                paymentStatus: status\n                amount\n                paidAmount\n                refundedAmount\n              }\n              ... on SubscriptionTransition {\n                to\n                reason\n              }\n            }\n          }\n        }\n      }\n    }\n  }\n": types.SubscriptionHistoryDocument,
    "\n  query SubscriptionPage($id: ID!) {\n    subscription(id: $id) {\n      id\n      lifeId\n      status\n      createdAt\n      startedAt\n      trialGranted\n      nextPaymentAt\n      pausedFrom\n      pausedUntil\n      pauseKeepsAccess\n      nextAmount\n      limitLeft\n      price {\n        version\n        amount\n      }\n      upcomingPayment {\n        dueAt\n        total\n        lines {\n          text\n          amount\n        }\n      }\n      discount {\n        periodsLeft\n        fullPriceAt\n        discount {\n          id\n          name\n          percentBps\n          amount\n        }\n      }\n      nextAttemptAt\n      failureCount\n      cancelAtPeriodEnd\n      cancellationRequest {\n        reason\n        comment\n      }\n      cancelledAt\n      accessUntil\n      walletAddress\n      metadata\n      customer {\n        id\n        email\n        customerId\n      }\n      plan {\n        planId\n        name\n        amount\n        maxAmount\n        mint\n        asset {\n          mint\n          symbol\n          decimals\n        }\n        interval\n        trialPeriodSeconds\n      }\n      payments(first: 10) {\n        totalCount\n        edges {\n          node {\n            id\n            status\n            amount\n            paidAmount\n            refundedAmount\n            dueAt\n            paidAt\n            finalized\n            failureCode\n            signature\n            attempts {\n              status\n              failureCode\n              amountRequired\n              balanceAvailable\n            }\n          }\n        }\n      }\n    }\n  }\n": types.SubscriptionPageDocument,
    "\n  mutation PauseSubscription($id: ID!, $periods: Int, $keepsAccess: Boolean!, $reason: String) {\n    pauseSubscription(subscription: $id, periods: $periods, keepsAccess: $keepsAccess, reason: $reason) {\n      lifeId\n    }\n  }\n": types.PauseSubscriptionDocument,
    "\n  mutation SkipNextPayment($id: ID!, $keepsAccess: Boolean!, $reason: String) {\n    skipNextPayment(subscription: $id, keepsAccess: $keepsAccess, reason: $reason) {\n      lifeId\n    }\n  }\n": types.SkipNextPaymentDocument,
    "\n  mutation GrantFreePeriods($id: ID!, $count: Int!, $reason: String) {\n    grantFreePeriods(subscription: $id, count: $count, reason: $reason) {\n      lifeId\n    }\n  }\n": types.GrantFreePeriodsDocument,
    "\n  mutation WaivePayment($id: ID!, $reason: String) {\n    waivePayment(subscription: $id, reason: $reason) {\n      lifeId\n    }\n  }\n": types.WaivePaymentDocument,
    "\n  mutation UnpauseSubscription($id: ID!, $chargeNow: Boolean!) {\n    unpauseSubscription(subscription: $id, chargeNow: $chargeNow) {\n      lifeId\n    }\n  }\n": types.UnpauseSubscriptionDocument,
    "\n  mutation RetryPayment($id: ID!) {\n    retryPayment(subscription: $id) {\n      lifeId\n    }\n  }\n": types.RetryPaymentDocument,
    "\n  mutation UndoCancellation($id: ID!) {\n    undoCancellation(subscription: $id) {\n      lifeId\n    }\n  }\n": types.UndoCancellationDocument,
    "\n  query WalletStateNow($id: ID!) {\n    subscription(id: $id) {\n      walletState {\n        balance\n        approval\n        frozen\n        runwayPeriods\n        checkedAt\n      }\n    }\n  }\n": types.WalletStateNowDocument,
    "\n  query SubscriptionRows(\n    $filter: SubscriptionFilter\n    $orderBy: SubscriptionOrder\n    $first: Int\n    $after: String\n    $last: Int\n    $before: String\n  ) {\n    subscriptionsConnection(\n      filter: $filter\n      orderBy: $orderBy\n      first: $first\n      after: $after\n      last: $last\n      before: $before\n    ) {\n      totalCount\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n      edges {\n        node {\n          lifeId\n          status\n          createdAt\n          nextPaymentAt\n          nextAmount\n          accessUntil\n          cancelAtPeriodEnd\n          paymentCount\n          walletAddress\n          customer {\n            email\n          }\n          plan {\n            name\n            mint\n            asset {\n              mint\n              symbol\n              decimals\n            }\n            interval\n          }\n        }\n      }\n    }\n  }\n": types.SubscriptionRowsDocument,
    "\n  query SubscriptionTabs {\n    subscriptionCounts {\n      total\n      active\n      pastDue\n      cancelled\n      expired\n    }\n  }\n": types.SubscriptionTabsDocument,
    "\n  mutation InviteMember($walletAddress: String!, $role: MemberRole!) {\n    inviteMember(walletAddress: $walletAddress, role: $role) {\n      id\n    }\n  }\n": types.InviteMemberDocument,
    "\n  mutation RenameMember($id: ID!, $name: String) {\n    renameMember(id: $id, name: $name) {\n      id\n    }\n  }\n": types.RenameMemberDocument,
    "\n  mutation ChangeMemberRole($id: ID!, $role: MemberRole!) {\n    changeMemberRole(id: $id, role: $role) {\n      id\n    }\n  }\n": types.ChangeMemberRoleDocument,
    "\n  mutation RemoveMember($id: ID!) {\n    removeMember(id: $id) {\n      id\n    }\n  }\n": types.RemoveMemberDocument,
    "\n  query TeamPage($first: Int, $after: String, $last: Int, $before: String) {\n    members(first: $first, after: $after, last: $last, before: $before) {\n      totalCount\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n      edges {\n        node {\n          id\n          name\n          role\n          walletAddress\n          createdAt\n        }\n      }\n    }\n  }\n": types.TeamPageDocument,
    "\n  mutation UpdateEndpoint($id: ID!, $input: UpdateWebhookEndpointInput!) {\n    updateWebhookEndpoint(id: $id, input: $input) {\n      id\n      status\n    }\n  }\n": types.UpdateEndpointDocument,
    "\n  mutation RotateSecret($id: ID!) {\n    rotateWebhookSecret(id: $id) {\n      secret\n    }\n  }\n": types.RotateSecretDocument,
    "\n  mutation DeleteEndpoint($id: ID!) {\n    deleteWebhookEndpoint(id: $id) {\n      id\n    }\n  }\n": types.DeleteEndpointDocument,
    "\n  query EndpointPage($id: ID!) {\n    webhookEndpoint(id: $id) {\n      id\n      url\n      status\n      eventTypes\n      maxPerSecond\n      maxConcurrency\n      createdAt\n      disabledReason\n      failingSince\n      pausedUntil\n      previousSecretUntil\n      stats(hours: 24) {\n        delivered\n        failed\n        pending\n        p50Ms\n        p95Ms\n      }\n    }\n    pending: webhookDeliveries(filter: { endpointId: $id, status: PENDING }, first: 1) {\n      totalCount\n    }\n    failed: webhookDeliveries(filter: { endpointId: $id, status: FAILED }, first: 1) {\n      totalCount\n    }\n  }\n": types.EndpointPageDocument,
    "\n  mutation ReplayEvents($input: ReplayWebhooksInput!, $dryRun: Boolean!) {\n    replayWebhooks(input: $input, dryRun: $dryRun) {\n      count\n    }\n  }\n": types.ReplayEventsDocument,
    "\n  mutation EndSecretOverlap($id: ID!, $previousSecretUntil: DateTime!) {\n    endWebhookSecretOverlap(id: $id, previousSecretUntil: $previousSecretUntil) {\n      id\n    }\n  }\n": types.EndSecretOverlapDocument,
    "\n  mutation SendTest($endpointId: ID!, $type: String) {\n    sendTestWebhook(endpointId: $endpointId, type: $type) {\n      id\n    }\n  }\n": types.SendTestDocument,
    "\n  mutation CreateEndpoint($url: String!, $eventTypes: [String!], $maxPerSecond: Int, $maxConcurrency: Int) {\n    createWebhookEndpoint(\n      url: $url\n      eventTypes: $eventTypes\n      maxPerSecond: $maxPerSecond\n      maxConcurrency: $maxConcurrency\n    ) {\n      secret\n      endpoint {\n        id\n      }\n    }\n  }\n": types.CreateEndpointDocument,
    "\n  query DeliveryRows($filter: WebhookDeliveryFilter, $first: Int, $after: String, $last: Int, $before: String) {\n    webhookDeliveries(filter: $filter, first: $first, after: $after, last: $last, before: $before) {\n      totalCount\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n      edges {\n        node {\n          id\n          status\n          createdAt\n          attemptCount\n          nextAttemptAt\n          isReplay\n          attempts {\n            statusCode\n            error\n          }\n          event {\n            type\n          }\n          endpoint {\n            url\n          }\n        }\n      }\n    }\n  }\n": types.DeliveryRowsDocument,
    "\n  query EventTypes {\n    eventTypes {\n      type\n      description\n    }\n  }\n": types.EventTypesDocument,
    "\n  query EndpointRows {\n    webhookEndpoints(first: 20) {\n      edges {\n        node {\n          id\n          url\n          status\n          eventTypes\n          createdAt\n          disabledReason\n          failingSince\n          pausedUntil\n        }\n      }\n    }\n  }\n": types.EndpointRowsDocument,
    "\n  subscription DeliveryUpdated($endpointId: ID) {\n    webhookDeliveryUpdated(endpointId: $endpointId) {\n      id\n    }\n  }\n": types.DeliveryUpdatedDocument,
    "\n  mutation ChooseMerchant($merchantId: ID!) {\n    chooseMerchant(merchantId: $merchantId) {\n      merchantId\n    }\n  }\n": types.ChooseMerchantDocument,
    "\n  mutation SignOut {\n    signOut\n  }\n": types.SignOutDocument,
    "\n  mutation SignOutEverywhere {\n    signOutEverywhere\n  }\n": types.SignOutEverywhereDocument,
    "\n  query Search($text: String!) {\n    search(text: $text) {\n      id\n      kind\n      label\n      detail\n    }\n  }\n": types.SearchDocument,
    "\n  mutation ConfirmRestoreCheck($number: Int!) {\n    confirmRestoreCheck(number: $number) {\n      checkedAt\n    }\n  }\n": types.ConfirmRestoreCheckDocument,
    "\n  query BillingClock {\n    cluster {\n      canMoveTime\n      now\n    }\n  }\n": types.BillingClockDocument,
    "\n  mutation MoveTime($seconds: Int!) {\n    advanceTestClock(seconds: $seconds)\n  }\n": types.MoveTimeDocument,
    "\n  query ClusterFacts {\n    cluster {\n      chain\n      explorerUrl\n      isLocal\n      canMoveTime\n    }\n  }\n": types.ClusterFactsDocument,
    "\n  query EventsCursor {\n    eventsCursor\n  }\n": types.EventsCursorDocument,
    "\n  subscription EventsFollowed($after: String) {\n    events(after: $after) {\n      cursor\n      id\n      type\n      createdAt\n      sequence\n      data\n    }\n  }\n": types.EventsFollowedDocument,
    "\n  query PlanNames {\n    plans(first: 100) {\n      edges {\n        node {\n          planId\n          name\n          mint\n          asset {\n            mint\n            symbol\n            decimals\n          }\n        }\n      }\n    }\n  }\n": types.PlanNamesDocument,
    "\n  query PlanName($planId: String!) {\n    plan(planId: $planId) {\n      name\n    }\n  }\n": types.PlanNameDocument,
    "\n  subscription PaymentFinalized {\n    paymentRecorded {\n      finalized\n    }\n  }\n": types.PaymentFinalizedDocument,
    "\n  query Viewer {\n    viewer {\n      memberId\n      walletAddress\n      role\n      merchantId\n      merchant {\n        companyName\n        logoUrl\n        walletAddress\n      }\n      uncheckedRestore {\n        number\n        lostFrom\n        lostUntil\n        isCollecting\n      }\n      memberships {\n        merchantId\n        role\n        merchant {\n          companyName\n        }\n      }\n    }\n  }\n": types.ViewerDocument,
};

/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query AuditActors {\n    members(first: 100) {\n      edges {\n        node {\n          id\n          name\n          walletAddress\n        }\n      }\n    }\n    apiKeys(first: 100) {\n      edges {\n        node {\n          id\n          name\n          lastFour\n        }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').AuditActorsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query AuditPage($filter: AuditLogFilter, $first: Int, $after: String, $last: Int, $before: String) {\n    auditLog(filter: $filter, first: $first, after: $after, last: $last, before: $before) {\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n      edges {\n        node {\n          id\n          action\n          actor\n          actorId\n          actorName\n          changes\n          createdAt\n          environment\n          ipAddress\n          requestId\n          targetId\n          userAgent\n        }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').AuditPageDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query CustomerAccess($customerId: String!) {\n    customerState(customerId: $customerId) {\n      hasAccess\n      features {\n        key\n        limit\n      }\n      subscriptions {\n        subscriptionId\n        planId\n        hasAccess\n        until\n        reason\n        startedAt\n      }\n    }\n  }\n"): typeof import('./graphql.ts').CustomerAccessDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UpdateBillingDetails($id: ID!, $input: BillingDetailsInput!) {\n    updateBillingDetails(id: $id, input: $input) {\n      id\n    }\n  }\n"): typeof import('./graphql.ts').UpdateBillingDetailsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UpdateCustomerEmail($id: ID!, $email: String!) {\n    updateCustomer(id: $id, email: $email) {\n      id\n    }\n  }\n"): typeof import('./graphql.ts').UpdateCustomerEmailDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query CustomerPage($id: ID!) {\n    customer(id: $id) {\n      id\n      email\n      customerId\n      walletAddress\n      createdAt\n      billingName\n      billingAddress\n      taxId\n      totalPaid {\n        mint\n        amount\n        asset {\n          mint\n          symbol\n          decimals\n        }\n      }\n      nextCharge {\n        at\n        amount {\n          mint\n          amount\n          asset {\n            mint\n            symbol\n            decimals\n          }\n        }\n      }\n      payments(first: 10) {\n        totalCount\n        edges {\n          node {\n            id\n            status\n            amount\n            paidAmount\n            refundedAmount\n            dueAt\n            failureCode\n            subscription {\n              plan {\n                name\n                mint\n                asset {\n                  mint\n                  symbol\n                  decimals\n                }\n              }\n            }\n          }\n        }\n      }\n      subscriptions(first: 25) {\n        totalCount\n        edges {\n          node {\n            lifeId\n            status\n            createdAt\n            nextPaymentAt\n            nextAmount\n            paymentCount\n            plan {\n              name\n              mint\n              asset {\n                mint\n                symbol\n                decimals\n              }\n              interval\n            }\n          }\n        }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').CustomerPageDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query CustomerRows(\n    $search: String\n    $from: DateTime\n    $to: DateTime\n    $first: Int\n    $after: String\n    $last: Int\n    $before: String\n  ) {\n    customers(\n      search: $search\n      from: $from\n      to: $to\n      first: $first\n      after: $after\n      last: $last\n      before: $before\n    ) {\n      totalCount\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n      edges {\n        node {\n          id\n          email\n          customerId\n          walletAddress\n          createdAt\n        }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').CustomerRowsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query DeliveryPage($id: ID!) {\n    webhookDelivery(id: $id) {\n      id\n      status\n      createdAt\n      nextAttemptAt\n      isReplay\n      body\n      attempts {\n        number\n        startedAt\n        durationMs\n        statusCode\n        error\n        responseBody\n        requestHeaders {\n          name\n          value\n        }\n      }\n      event {\n        id\n        type\n        subscription {\n          lifeId\n          customer {\n            email\n          }\n        }\n      }\n      endpoint {\n        id\n        url\n        status\n      }\n    }\n  }\n"): typeof import('./graphql.ts').DeliveryPageDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ResendDelivery($id: ID!) {\n    resendWebhook(deliveryId: $id) {\n      id\n    }\n  }\n"): typeof import('./graphql.ts').ResendDeliveryDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query PlansToDiscount {\n    plans(first: 100, status: ACTIVE) {\n      edges {\n        node {\n          planId\n          name\n          amount\n          maxAmount\n          mint\n          asset {\n            mint\n            symbol\n            decimals\n          }\n          interval\n        }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').PlansToDiscountDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateDiscount($input: CreateDiscountInput!) {\n    createDiscount(input: $input) {\n      id\n      name\n    }\n  }\n"): typeof import('./graphql.ts').CreateDiscountDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query DiscountPage($id: ID!) {\n    discount(id: $id) {\n      id\n      name\n      code\n      percentBps\n      amount\n      asset {\n        mint\n        symbol\n        decimals\n      }\n      periods\n      plans {\n        planId\n        name\n      }\n      maxRedemptions\n      maxPerCustomer\n      firstPurchaseOnly\n      startsAt\n      endsAt\n      isActive\n      state\n      taken\n      createdAt\n    }\n  }\n"): typeof import('./graphql.ts').DiscountPageDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UpdateDiscount($id: ID!, $input: UpdateDiscountInput!) {\n    updateDiscount(id: $id, input: $input) {\n      id\n      isActive\n    }\n  }\n"): typeof import('./graphql.ts').UpdateDiscountDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query DiscountUses($id: ID!, $first: Int, $after: String, $last: Int, $before: String) {\n    discount(id: $id) {\n      redemptions(first: $first, after: $after, last: $last, before: $before) {\n        totalCount\n        pageInfo {\n          hasNextPage\n          hasPreviousPage\n          startCursor\n          endCursor\n        }\n        edges {\n          node {\n            id\n            status\n            createdAt\n            subscription {\n              lifeId\n              customer {\n                email\n              }\n              plan {\n                name\n              }\n            }\n          }\n        }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').DiscountUsesDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query DiscountRows($isActive: Boolean, $first: Int, $after: String, $last: Int, $before: String) {\n    discounts(isActive: $isActive, first: $first, after: $after, last: $last, before: $before) {\n      totalCount\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n      edges {\n        node {\n          id\n          name\n          code\n          percentBps\n          amount\n          asset {\n            mint\n            symbol\n            decimals\n          }\n          periods\n          plans {\n            planId\n            name\n          }\n          maxRedemptions\n          taken\n          state\n          startsAt\n          endsAt\n        }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').DiscountRowsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query EventPage($id: ID!) {\n    event(id: $id) {\n      id\n      type\n      createdAt\n      sequence\n      data\n      subscription {\n        lifeId\n        customer {\n          email\n        }\n      }\n      deliveries {\n        id\n        status\n        attemptCount\n        endpoint {\n          url\n          status\n        }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').EventPageDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ResendEvent($id: ID!) {\n    resendEvent(eventId: $id) {\n      id\n    }\n  }\n"): typeof import('./graphql.ts').ResendEventDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query EventRows($filter: EventFilter, $first: Int, $after: String, $last: Int, $before: String) {\n    events(filter: $filter, first: $first, after: $after, last: $last, before: $before) {\n      totalCount\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n      edges {\n        node {\n          id\n          type\n          createdAt\n          sequence\n          data\n        }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').EventRowsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation TriggerSample($type: String!) {\n    triggerEvent(type: $type) {\n      id\n    }\n  }\n"): typeof import('./graphql.ts').TriggerSampleDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query HealthPage {\n    serviceHealth {\n      collectors {\n        environment\n        role\n        address\n        lamports\n        daysLeft\n        canPay\n      }\n      mirror {\n        state\n        slotsBehind\n        silentSeconds\n        doubt\n      }\n      checkedAt\n    }\n  }\n"): typeof import('./graphql.ts').HealthPageDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateKey($name: String!, $scopes: [ApiKeyScope!], $expiresAt: DateTime) {\n    createApiKey(name: $name, scopes: $scopes, expiresAt: $expiresAt) {\n      apiKey\n    }\n  }\n"): typeof import('./graphql.ts').CreateKeyDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ApiKeyRows($first: Int, $after: String, $last: Int, $before: String) {\n    apiKeys(first: $first, after: $after, last: $last, before: $before) {\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n      edges {\n        node {\n          id\n          name\n          prefix\n          lastFour\n          scopes\n          isValid\n          createdAt\n          lastUsedAt\n          expiresAt\n          revokedAt\n          replacedBy {\n            id\n            name\n            lastFour\n          }\n        }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').ApiKeyRowsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RevokeKey($id: ID!) {\n    revokeApiKey(id: $id) {\n      id\n    }\n  }\n"): typeof import('./graphql.ts').RevokeKeyDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RotateKey($id: ID!, $overlapSeconds: Int) {\n    rotateApiKey(id: $id, overlapSeconds: $overlapSeconds) {\n      apiKey\n    }\n  }\n"): typeof import('./graphql.ts').RotateKeyDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query PlansToLink {\n    plans(first: 100, status: ACTIVE) {\n      edges {\n        node {\n          planId\n          name\n        }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').PlansToLinkDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateLink($input: CreatePaymentLinkInput!) {\n    createPaymentLink(input: $input) {\n      id\n      url\n      qrSvgUrl\n      qrPngUrl\n      embedScriptUrl\n      name\n      plan {\n        name\n      }\n    }\n  }\n"): typeof import('./graphql.ts').CreateLinkDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query PaymentLinkRows(\n    $planId: String\n    $active: Boolean\n    $first: Int\n    $after: String\n    $last: Int\n    $before: String\n  ) {\n    paymentLinks(\n      planId: $planId\n      active: $active\n      first: $first\n      after: $after\n      last: $last\n      before: $before\n    ) {\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n      edges {\n        node {\n          id\n          url\n          qrSvgUrl\n          qrPngUrl\n          embedScriptUrl\n          name\n          active\n          allowsCodes\n          openedCount\n          completedCount\n          createdAt\n          plan {\n            planId\n            name\n          }\n        }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').PaymentLinkRowsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SwitchPaymentLink($id: ID!, $active: Boolean!) {\n    updatePaymentLink(id: $id, input: { active: $active }) {\n      id\n      active\n    }\n  }\n"): typeof import('./graphql.ts').SwitchPaymentLinkDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DismissOnboarding {\n    dismissOnboarding {\n      dismissedAt\n    }\n  }\n"): typeof import('./graphql.ts').DismissOnboardingDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query SoldPlan {\n    plans(first: 1, status: ACTIVE) {\n      edges {\n        node {\n          planId\n        }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').SoldPlanDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query OnboardingSteps {\n    onboarding {\n      dismissedAt\n      steps {\n        step\n        doneAt\n      }\n    }\n  }\n"): typeof import('./graphql.ts').OnboardingStepsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query CheckoutConversion($from: String!, $to: String!) {\n    checkoutConversion(from: $from, to: $to) {\n      day\n      created\n      completed\n      expired\n    }\n  }\n"): typeof import('./graphql.ts').CheckoutConversionDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query LatestEvents {\n    events(first: 10) {\n      edges {\n        node {\n          id\n          type\n          createdAt\n          data\n        }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').LatestEventsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query MetricsOverview($from: String!, $to: String!, $planId: String) {\n    metrics(from: $from, to: $to, planId: $planId) {\n      days {\n        day\n        active\n        pastDue\n        new\n        resumed\n        churned\n        failed\n        mrr {\n          mint\n          amount\n          asset {\n            mint\n            symbol\n            decimals\n          }\n        }\n        mrrMovement {\n          mint\n          new\n          reactivation\n          expansion\n          contraction\n          churn\n          moved\n        }\n        collected {\n          mint\n          amount\n          asset {\n            mint\n            symbol\n            decimals\n          }\n        }\n        failedByCode {\n          code\n          count\n        }\n      }\n      total {\n        new\n        churnRate\n        failed\n        recovered\n        expired\n        collected {\n          mint\n          amount\n          asset {\n            mint\n            symbol\n            decimals\n          }\n        }\n        refunded {\n          mint\n          amount\n          asset {\n            mint\n            symbol\n            decimals\n          }\n        }\n        recoveredAmount {\n          mint\n          amount\n          asset {\n            mint\n            symbol\n            decimals\n          }\n        }\n      }\n      previous {\n        days {\n          active\n          pastDue\n          new\n          mrr {\n            mint\n            amount\n            asset {\n              mint\n              symbol\n              decimals\n            }\n          }\n          collected {\n            mint\n            amount\n            asset {\n              mint\n              symbol\n              decimals\n            }\n          }\n        }\n        total {\n          new\n          churnRate\n          failed\n          collected {\n            mint\n            amount\n            asset {\n              mint\n              symbol\n              decimals\n            }\n          }\n        }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').MetricsOverviewDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Problems {\n    plans(first: 100, status: ACTIVE) {\n      edges {\n        node {\n          planId\n          name\n          problem\n        }\n      }\n    }\n    webhookEndpoints(first: 20) {\n      edges {\n        node {\n          id\n          url\n          status\n          failingSince\n          disabledReason\n        }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').ProblemsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query HealthProblems {\n    serviceHealth {\n      collectors {\n        role\n        canPay\n        daysLeft\n      }\n      mirror {\n        state\n      }\n    }\n  }\n"): typeof import('./graphql.ts').HealthProblemsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query UpcomingCharges($until: String!) {\n    upcomingCharges(until: $until) {\n      day\n      count\n      amount {\n        mint\n        amount\n        asset {\n          mint\n          symbol\n          decimals\n        }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').UpcomingChargesDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query UpcomingShort($until: String!) {\n    upcomingCharges(until: $until) {\n      day\n      short\n      shortChecked\n    }\n  }\n"): typeof import('./graphql.ts').UpcomingShortDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query NextPayment {\n    subscriptionsConnection(first: 1, orderBy: NEXT_PAYMENT) {\n      edges {\n        node {\n          nextPaymentAt\n        }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').NextPaymentDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateRefund($input: CreateRefundInput!) {\n    createRefund(input: $input) {\n      id\n    }\n  }\n"): typeof import('./graphql.ts').CreateRefundDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query PaymentPage($id: ID!) {\n    payment(id: $id) {\n      id\n      status\n      amount\n      paidAmount\n      lines {\n        kind\n        text\n        amount\n      }\n      number\n      dueAt\n      periodEnd\n      paidAt\n      finalized\n      collectedByUs\n      feeLamports\n      signature\n      refundedAmount\n      excessRefundedAmount\n      refundableAmount\n      refunds {\n        id\n        status\n        amount\n        reason\n        signature\n        solanaPayUrl\n        inFlight\n        sentSignature\n        excess {\n          signature\n          amount\n        }\n        createdAt\n      }\n      receipt {\n        number\n        url\n      }\n      attempts {\n        status\n        createdAt\n        settledAt\n        failureCode\n        amountRequired\n        balanceAvailable\n      }\n      mails {\n        id\n        template\n        recipient\n        status\n        error\n        createdAt\n        sentAt\n      }\n      customer {\n        id\n        email\n      }\n      subscription {\n        lifeId\n        walletAddress\n        plan {\n          planId\n          name\n          mint\n          merchant {\n            walletAddress\n          }\n          asset {\n            mint\n            symbol\n            decimals\n          }\n        }\n      }\n    }\n    events(filter: { paymentId: $id }, first: 20) {\n      totalCount\n      edges {\n        node {\n          id\n          type\n          createdAt\n          deliveries {\n            id\n            status\n            lastStatusCode\n            endpoint {\n              url\n            }\n          }\n        }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').PaymentPageDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RefundTransaction($id: ID!) {\n    refundTransaction(id: $id) {\n      transaction\n    }\n  }\n"): typeof import('./graphql.ts').RefundTransactionDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query RefundInFlight($id: ID!) {\n    refund(id: $id) {\n      status\n      inFlight\n    }\n  }\n"): typeof import('./graphql.ts').RefundInFlightDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CancelRefund($id: ID!) {\n    cancelRefund(id: $id) {\n      id\n    }\n  }\n"): typeof import('./graphql.ts').CancelRefundDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query PaymentRows($filter: PaymentFilter, $first: Int, $after: String, $last: Int, $before: String) {\n    payments(filter: $filter, first: $first, after: $after, last: $last, before: $before) {\n      totalCount\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n      edges {\n        node {\n          id\n          status\n          amount\n          paidAmount\n          refundedAmount\n          dueAt\n          paidAt\n          signature\n          failureCode\n          subscription {\n            customer {\n              email\n            }\n            plan {\n              name\n              mint\n              asset {\n                mint\n                symbol\n                decimals\n              }\n            }\n          }\n        }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').PaymentRowsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query PlanAssets {\n    assets {\n      mint\n      symbol\n      name\n      decimals\n      isDefault\n    }\n    plans(first: 1) {\n      totalCount\n    }\n    settings {\n      graceSeconds\n    }\n  }\n"): typeof import('./graphql.ts').PlanAssetsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreatePlanDraft($input: CreatePlanInput!) {\n    createPlan(input: $input) {\n      plan {\n        planId\n        name\n      }\n    }\n  }\n"): typeof import('./graphql.ts').CreatePlanDraftDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RepairPlan($planId: String!) {\n    repairPlanTransaction(planId: $planId) {\n      transaction\n    }\n  }\n"): typeof import('./graphql.ts').RepairPlanDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DeletePlanAccount($planId: String!) {\n    deletePlanTransaction(planId: $planId) {\n      transaction\n    }\n  }\n"): typeof import('./graphql.ts').DeletePlanAccountDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ClosePlan($planId: String!, $endsAt: DateTime!) {\n    sunsetPlanTransaction(planId: $planId, endsAt: $endsAt) {\n      transaction\n    }\n  }\n"): typeof import('./graphql.ts').ClosePlanDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DeletePlanDraft($planId: String!) {\n    deletePlanDraft(planId: $planId)\n  }\n"): typeof import('./graphql.ts').DeletePlanDraftDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query PreviewFeatures($planId: String!, $features: [FeatureInput!]!) {\n    previewFeatures(planId: $planId, features: $features) {\n      added\n      removed\n      changed\n      subscriptionCount\n    }\n  }\n"): typeof import('./graphql.ts').PreviewFeaturesDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query PlanDetail($planId: String!) {\n    plan(planId: $planId) {\n      planId\n      name\n      description\n      imageUrl\n      maxPausedPeriods\n      address\n      amount\n      maxAmount\n      prices {\n        id\n        version\n        amount\n        createdAt\n        retiredAt\n      }\n      mint\n      asset {\n        mint\n        symbol\n        name\n        decimals\n      }\n      interval\n      trialPeriodSeconds\n      status\n      problem\n      revenue\n      paymentCount\n      createdAt\n      publishedAt\n      endsAt\n      features {\n        key\n        limit\n      }\n      graceSeconds\n      retryPolicy\n      collectWithinSeconds\n      subscribers {\n        active\n        pastDue\n        cancelled\n        expired\n      }\n      merchant {\n        walletAddress\n      }\n    }\n    settings {\n      graceSeconds\n    }\n  }\n"): typeof import('./graphql.ts').PlanDetailDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UpdatePlan($planId: String!, $input: UpdatePlanInput!) {\n    updatePlan(planId: $planId, input: $input) {\n      planId\n    }\n  }\n"): typeof import('./graphql.ts').UpdatePlanDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription PlanFollowed($planId: String!) {\n    planUpdated(planId: $planId) {\n      status\n      problem\n      endsAt\n      name\n      description\n      imageUrl\n    }\n  }\n"): typeof import('./graphql.ts').PlanFollowedDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreatePrice($planId: String!, $amount: TokenAmount!) {\n    createPrice(planId: $planId, amount: $amount) {\n      version\n    }\n  }\n"): typeof import('./graphql.ts').CreatePriceDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RetirePrice($priceId: ID!) {\n    retirePrice(priceId: $priceId) {\n      version\n    }\n  }\n"): typeof import('./graphql.ts').RetirePriceDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation PublishPlan($planId: String!) {\n    publishPlanTransaction(planId: $planId) {\n      transaction\n    }\n  }\n"): typeof import('./graphql.ts').PublishPlanDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query LinkOfPlan($planId: String!) {\n    paymentLinks(planId: $planId, active: true, first: 1) {\n      edges {\n        node {\n          id\n          url\n          qrSvgUrl\n          qrPngUrl\n          embedScriptUrl\n          plan {\n            name\n          }\n        }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').LinkOfPlanDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateLinkOfPlan($planId: String!) {\n    createPaymentLink(input: { planId: $planId }) {\n      id\n    }\n  }\n"): typeof import('./graphql.ts').CreateLinkOfPlanDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation OpenTestCheckout($input: CreateCheckoutSessionInput!) {\n    createCheckoutSession(input: $input) {\n      url\n    }\n  }\n"): typeof import('./graphql.ts').OpenTestCheckoutDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query PlanRows($status: PlanStatus, $first: Int, $after: String, $last: Int, $before: String) {\n    plans(status: $status, first: $first, after: $after, last: $last, before: $before) {\n      totalCount\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n      edges {\n        node {\n          planId\n          name\n          amount\n          mint\n          asset {\n            mint\n            symbol\n            decimals\n          }\n          interval\n          trialPeriodSeconds\n          status\n          problem\n          revenue\n          publishedAt\n          endsAt\n          subscribers {\n            active\n            pastDue\n          }\n        }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').PlanRowsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription PlanRowUpdated {\n    planUpdated {\n      planId\n    }\n  }\n"): typeof import('./graphql.ts').PlanRowUpdatedDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ReceiptRows($filter: ReceiptFilter, $first: Int, $after: String, $last: Int, $before: String) {\n    receipts(filter: $filter, first: $first, after: $after, last: $last, before: $before) {\n      totalCount\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n      edges {\n        node {\n          number\n          issuedAt\n          url\n          pdfUrl\n          document\n          payment {\n            id\n            refundedAmount\n          }\n        }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').ReceiptRowsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UpdateProfile($input: MerchantProfileInput!) {\n    updateMerchantProfile(input: $input) {\n      companyName\n    }\n  }\n"): typeof import('./graphql.ts').UpdateProfileDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UploadLogo($png: String!) {\n    uploadLogo(png: $png) {\n      logoUrl\n    }\n  }\n"): typeof import('./graphql.ts').UploadLogoDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RemoveLogo {\n    updateMerchantProfile(input: { logoUrl: null }) {\n      logoUrl\n    }\n  }\n"): typeof import('./graphql.ts').RemoveLogoDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query MailPreview($template: MailTemplate!) {\n    mailPreview(template: $template) {\n      subject\n      text\n    }\n  }\n"): typeof import('./graphql.ts').MailPreviewDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UpdateMailSettings($input: UpdateMailSettingsInput!) {\n    updateMailSettings(input: $input) {\n      templates\n    }\n  }\n"): typeof import('./graphql.ts').UpdateMailSettingsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query SettingsPage {\n    merchant {\n      companyName\n      logoUrl\n      brandColor\n      supportEmail\n      legalName\n      postalAddress\n      taxId\n      walletAddress\n    }\n    settings {\n      maxFailures\n      retryDelaysSeconds\n      graceSeconds\n      redirectUrlsAllowed\n      sponsorsCustomers\n      sponsoredLamportsPerDay\n    }\n    mailSettings {\n      templates\n      merchantEmail\n      reminderDays\n      isAvailable\n    }\n  }\n"): typeof import('./graphql.ts').SettingsPageDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ReceivingAccountsCard {\n    receivingAccounts {\n      asset {\n        mint\n        symbol\n        decimals\n      }\n      count\n      accounts {\n        number\n        address\n        state\n        isUsed\n        balance\n      }\n    }\n  }\n"): typeof import('./graphql.ts').ReceivingAccountsCardDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SetReceivingAccounts($mint: String!, $count: Int!) {\n    setReceivingAccounts(mint: $mint, count: $count) {\n      count\n    }\n  }\n"): typeof import('./graphql.ts').SetReceivingAccountsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateReceivingAccounts($mint: String!) {\n    receivingAccountsTransaction(mint: $mint) {\n      transaction\n    }\n  }\n"): typeof import('./graphql.ts').CreateReceivingAccountsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SweepReceivingAccounts($mint: String!) {\n    sweepReceivingAccountsTransaction(mint: $mint) {\n      transaction\n    }\n  }\n"): typeof import('./graphql.ts').SweepReceivingAccountsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query OwnSessions {\n    viewer {\n      sessions {\n        id\n        isCurrent\n        merchant {\n          companyName\n        }\n        createdAt\n        idleUntil\n        expiresAt\n        ipAddress\n        userAgent\n      }\n    }\n  }\n"): typeof import('./graphql.ts').OwnSessionsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation EndMemberSession($id: ID!) {\n    endMemberSession(id: $id)\n  }\n"): typeof import('./graphql.ts').EndMemberSessionDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UpdateSettings($input: UpdateSettingsInput!) {\n    updateSettings(input: $input) {\n      maxFailures\n    }\n  }\n"): typeof import('./graphql.ts').UpdateSettingsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateMerchant($companyName: String!, $output: SignInOutput) {\n    createMerchant(companyName: $companyName, output: $output) {\n      merchantId\n    }\n  }\n"): typeof import('./graphql.ts').CreateMerchantDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SignInInput($address: String) {\n    signInInput(address: $address) {\n      address\n      chainId\n      domain\n      expirationTime\n      issuedAt\n      nonce\n      statement\n      uri\n      version\n    }\n  }\n"): typeof import('./graphql.ts').SignInInputDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SignIn($output: SignInOutput!) {\n    signIn(output: $output) {\n      merchantId\n      memberships {\n        merchantId\n        role\n        merchant {\n          companyName\n        }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').SignInDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query CanCreateMerchant($address: String!) {\n    canCreateMerchant(address: $address)\n  }\n"): typeof import('./graphql.ts').CanCreateMerchantDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SignInToMerchant($merchantId: ID!) {\n    chooseMerchant(merchantId: $merchantId) {\n      merchantId\n    }\n  }\n"): typeof import('./graphql.ts').SignInToMerchantDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CancelSubscription($id: ID!, $when: CancelWhen!) {\n    cancelSubscription(subscription: $id, when: $when) {\n      subscription {\n        lifeId\n        status\n      }\n    }\n  }\n"): typeof import('./graphql.ts').CancelSubscriptionDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query DiscountsToApply {\n    discounts(isActive: true, first: 100) {\n      edges {\n        node {\n          id\n          name\n          percentBps\n          amount\n          asset {\n            mint\n            symbol\n            decimals\n          }\n          periods\n          state\n          plans {\n            planId\n          }\n        }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').DiscountsToApplyDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ApplyDiscount($id: ID!, $discountId: ID!) {\n    applyDiscount(subscription: $id, discountId: $discountId) {\n      lifeId\n    }\n  }\n"): typeof import('./graphql.ts').ApplyDiscountDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RemoveDiscount($id: ID!) {\n    removeDiscount(subscription: $id) {\n      lifeId\n    }\n  }\n"): typeof import('./graphql.ts').RemoveDiscountDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query SubscriptionHistory($id: ID!, $first: Int) {\n    subscription(id: $id) {\n      history(first: $first) {\n        pageInfo {\n          hasNextPage\n        }\n        edges {\n          cursor\n          node {\n            at\n            item {\n              __typename\n              ... on Attempt {\n                attemptStatus: status\n                failureCode\n                amountRequired\n                balanceAvailable\n              }\n              ... on Event {\n                id\n                type\n              }\n              ... on Payment {\n                id\n                paymentStatus: status\n                amount\n                paidAmount\n                refundedAmount\n              }\n              ... on SubscriptionTransition {\n                to\n                reason\n              }\n            }\n          }\n        }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').SubscriptionHistoryDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query SubscriptionPage($id: ID!) {\n    subscription(id: $id) {\n      id\n      lifeId\n      status\n      createdAt\n      startedAt\n      trialGranted\n      nextPaymentAt\n      pausedFrom\n      pausedUntil\n      pauseKeepsAccess\n      nextAmount\n      limitLeft\n      price {\n        version\n        amount\n      }\n      upcomingPayment {\n        dueAt\n        total\n        lines {\n          text\n          amount\n        }\n      }\n      discount {\n        periodsLeft\n        fullPriceAt\n        discount {\n          id\n          name\n          percentBps\n          amount\n        }\n      }\n      nextAttemptAt\n      failureCount\n      cancelAtPeriodEnd\n      cancellationRequest {\n        reason\n        comment\n      }\n      cancelledAt\n      accessUntil\n      walletAddress\n      metadata\n      customer {\n        id\n        email\n        customerId\n      }\n      plan {\n        planId\n        name\n        amount\n        maxAmount\n        mint\n        asset {\n          mint\n          symbol\n          decimals\n        }\n        interval\n        trialPeriodSeconds\n      }\n      payments(first: 10) {\n        totalCount\n        edges {\n          node {\n            id\n            status\n            amount\n            paidAmount\n            refundedAmount\n            dueAt\n            paidAt\n            finalized\n            failureCode\n            signature\n            attempts {\n              status\n              failureCode\n              amountRequired\n              balanceAvailable\n            }\n          }\n        }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').SubscriptionPageDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation PauseSubscription($id: ID!, $periods: Int, $keepsAccess: Boolean!, $reason: String) {\n    pauseSubscription(subscription: $id, periods: $periods, keepsAccess: $keepsAccess, reason: $reason) {\n      lifeId\n    }\n  }\n"): typeof import('./graphql.ts').PauseSubscriptionDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SkipNextPayment($id: ID!, $keepsAccess: Boolean!, $reason: String) {\n    skipNextPayment(subscription: $id, keepsAccess: $keepsAccess, reason: $reason) {\n      lifeId\n    }\n  }\n"): typeof import('./graphql.ts').SkipNextPaymentDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation GrantFreePeriods($id: ID!, $count: Int!, $reason: String) {\n    grantFreePeriods(subscription: $id, count: $count, reason: $reason) {\n      lifeId\n    }\n  }\n"): typeof import('./graphql.ts').GrantFreePeriodsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation WaivePayment($id: ID!, $reason: String) {\n    waivePayment(subscription: $id, reason: $reason) {\n      lifeId\n    }\n  }\n"): typeof import('./graphql.ts').WaivePaymentDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UnpauseSubscription($id: ID!, $chargeNow: Boolean!) {\n    unpauseSubscription(subscription: $id, chargeNow: $chargeNow) {\n      lifeId\n    }\n  }\n"): typeof import('./graphql.ts').UnpauseSubscriptionDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RetryPayment($id: ID!) {\n    retryPayment(subscription: $id) {\n      lifeId\n    }\n  }\n"): typeof import('./graphql.ts').RetryPaymentDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UndoCancellation($id: ID!) {\n    undoCancellation(subscription: $id) {\n      lifeId\n    }\n  }\n"): typeof import('./graphql.ts').UndoCancellationDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query WalletStateNow($id: ID!) {\n    subscription(id: $id) {\n      walletState {\n        balance\n        approval\n        frozen\n        runwayPeriods\n        checkedAt\n      }\n    }\n  }\n"): typeof import('./graphql.ts').WalletStateNowDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query SubscriptionRows(\n    $filter: SubscriptionFilter\n    $orderBy: SubscriptionOrder\n    $first: Int\n    $after: String\n    $last: Int\n    $before: String\n  ) {\n    subscriptionsConnection(\n      filter: $filter\n      orderBy: $orderBy\n      first: $first\n      after: $after\n      last: $last\n      before: $before\n    ) {\n      totalCount\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n      edges {\n        node {\n          lifeId\n          status\n          createdAt\n          nextPaymentAt\n          nextAmount\n          accessUntil\n          cancelAtPeriodEnd\n          paymentCount\n          walletAddress\n          customer {\n            email\n          }\n          plan {\n            name\n            mint\n            asset {\n              mint\n              symbol\n              decimals\n            }\n            interval\n          }\n        }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').SubscriptionRowsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query SubscriptionTabs {\n    subscriptionCounts {\n      total\n      active\n      pastDue\n      cancelled\n      expired\n    }\n  }\n"): typeof import('./graphql.ts').SubscriptionTabsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation InviteMember($walletAddress: String!, $role: MemberRole!) {\n    inviteMember(walletAddress: $walletAddress, role: $role) {\n      id\n    }\n  }\n"): typeof import('./graphql.ts').InviteMemberDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RenameMember($id: ID!, $name: String) {\n    renameMember(id: $id, name: $name) {\n      id\n    }\n  }\n"): typeof import('./graphql.ts').RenameMemberDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ChangeMemberRole($id: ID!, $role: MemberRole!) {\n    changeMemberRole(id: $id, role: $role) {\n      id\n    }\n  }\n"): typeof import('./graphql.ts').ChangeMemberRoleDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RemoveMember($id: ID!) {\n    removeMember(id: $id) {\n      id\n    }\n  }\n"): typeof import('./graphql.ts').RemoveMemberDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query TeamPage($first: Int, $after: String, $last: Int, $before: String) {\n    members(first: $first, after: $after, last: $last, before: $before) {\n      totalCount\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n      edges {\n        node {\n          id\n          name\n          role\n          walletAddress\n          createdAt\n        }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').TeamPageDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UpdateEndpoint($id: ID!, $input: UpdateWebhookEndpointInput!) {\n    updateWebhookEndpoint(id: $id, input: $input) {\n      id\n      status\n    }\n  }\n"): typeof import('./graphql.ts').UpdateEndpointDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RotateSecret($id: ID!) {\n    rotateWebhookSecret(id: $id) {\n      secret\n    }\n  }\n"): typeof import('./graphql.ts').RotateSecretDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DeleteEndpoint($id: ID!) {\n    deleteWebhookEndpoint(id: $id) {\n      id\n    }\n  }\n"): typeof import('./graphql.ts').DeleteEndpointDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query EndpointPage($id: ID!) {\n    webhookEndpoint(id: $id) {\n      id\n      url\n      status\n      eventTypes\n      maxPerSecond\n      maxConcurrency\n      createdAt\n      disabledReason\n      failingSince\n      pausedUntil\n      previousSecretUntil\n      stats(hours: 24) {\n        delivered\n        failed\n        pending\n        p50Ms\n        p95Ms\n      }\n    }\n    pending: webhookDeliveries(filter: { endpointId: $id, status: PENDING }, first: 1) {\n      totalCount\n    }\n    failed: webhookDeliveries(filter: { endpointId: $id, status: FAILED }, first: 1) {\n      totalCount\n    }\n  }\n"): typeof import('./graphql.ts').EndpointPageDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ReplayEvents($input: ReplayWebhooksInput!, $dryRun: Boolean!) {\n    replayWebhooks(input: $input, dryRun: $dryRun) {\n      count\n    }\n  }\n"): typeof import('./graphql.ts').ReplayEventsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation EndSecretOverlap($id: ID!, $previousSecretUntil: DateTime!) {\n    endWebhookSecretOverlap(id: $id, previousSecretUntil: $previousSecretUntil) {\n      id\n    }\n  }\n"): typeof import('./graphql.ts').EndSecretOverlapDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SendTest($endpointId: ID!, $type: String) {\n    sendTestWebhook(endpointId: $endpointId, type: $type) {\n      id\n    }\n  }\n"): typeof import('./graphql.ts').SendTestDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateEndpoint($url: String!, $eventTypes: [String!], $maxPerSecond: Int, $maxConcurrency: Int) {\n    createWebhookEndpoint(\n      url: $url\n      eventTypes: $eventTypes\n      maxPerSecond: $maxPerSecond\n      maxConcurrency: $maxConcurrency\n    ) {\n      secret\n      endpoint {\n        id\n      }\n    }\n  }\n"): typeof import('./graphql.ts').CreateEndpointDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query DeliveryRows($filter: WebhookDeliveryFilter, $first: Int, $after: String, $last: Int, $before: String) {\n    webhookDeliveries(filter: $filter, first: $first, after: $after, last: $last, before: $before) {\n      totalCount\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n      edges {\n        node {\n          id\n          status\n          createdAt\n          attemptCount\n          nextAttemptAt\n          isReplay\n          attempts {\n            statusCode\n            error\n          }\n          event {\n            type\n          }\n          endpoint {\n            url\n          }\n        }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').DeliveryRowsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query EventTypes {\n    eventTypes {\n      type\n      description\n    }\n  }\n"): typeof import('./graphql.ts').EventTypesDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query EndpointRows {\n    webhookEndpoints(first: 20) {\n      edges {\n        node {\n          id\n          url\n          status\n          eventTypes\n          createdAt\n          disabledReason\n          failingSince\n          pausedUntil\n        }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').EndpointRowsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription DeliveryUpdated($endpointId: ID) {\n    webhookDeliveryUpdated(endpointId: $endpointId) {\n      id\n    }\n  }\n"): typeof import('./graphql.ts').DeliveryUpdatedDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ChooseMerchant($merchantId: ID!) {\n    chooseMerchant(merchantId: $merchantId) {\n      merchantId\n    }\n  }\n"): typeof import('./graphql.ts').ChooseMerchantDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SignOut {\n    signOut\n  }\n"): typeof import('./graphql.ts').SignOutDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SignOutEverywhere {\n    signOutEverywhere\n  }\n"): typeof import('./graphql.ts').SignOutEverywhereDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Search($text: String!) {\n    search(text: $text) {\n      id\n      kind\n      label\n      detail\n    }\n  }\n"): typeof import('./graphql.ts').SearchDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ConfirmRestoreCheck($number: Int!) {\n    confirmRestoreCheck(number: $number) {\n      checkedAt\n    }\n  }\n"): typeof import('./graphql.ts').ConfirmRestoreCheckDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query BillingClock {\n    cluster {\n      canMoveTime\n      now\n    }\n  }\n"): typeof import('./graphql.ts').BillingClockDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation MoveTime($seconds: Int!) {\n    advanceTestClock(seconds: $seconds)\n  }\n"): typeof import('./graphql.ts').MoveTimeDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ClusterFacts {\n    cluster {\n      chain\n      explorerUrl\n      isLocal\n      canMoveTime\n    }\n  }\n"): typeof import('./graphql.ts').ClusterFactsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query EventsCursor {\n    eventsCursor\n  }\n"): typeof import('./graphql.ts').EventsCursorDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription EventsFollowed($after: String) {\n    events(after: $after) {\n      cursor\n      id\n      type\n      createdAt\n      sequence\n      data\n    }\n  }\n"): typeof import('./graphql.ts').EventsFollowedDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query PlanNames {\n    plans(first: 100) {\n      edges {\n        node {\n          planId\n          name\n          mint\n          asset {\n            mint\n            symbol\n            decimals\n          }\n        }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').PlanNamesDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query PlanName($planId: String!) {\n    plan(planId: $planId) {\n      name\n    }\n  }\n"): typeof import('./graphql.ts').PlanNameDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription PaymentFinalized {\n    paymentRecorded {\n      finalized\n    }\n  }\n"): typeof import('./graphql.ts').PaymentFinalizedDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Viewer {\n    viewer {\n      memberId\n      walletAddress\n      role\n      merchantId\n      merchant {\n        companyName\n        logoUrl\n        walletAddress\n      }\n      uncheckedRestore {\n        number\n        lostFrom\n        lostUntil\n        isCollecting\n      }\n      memberships {\n        merchantId\n        role\n        merchant {\n          companyName\n        }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').ViewerDocument;


export function graphql(source: string) {
  return (documents as any)[source] ?? {};
}
