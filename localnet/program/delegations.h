/*
 * Fixed and recurring delegations: instructions 1, 2, 4, 5, 15 and 16, and 3 for all kinds.
 * Included by subscriptions.c, which explains how both files are written. dues itself uses only
 * plans; these delegations are for other programs on a local network.
 */

/* Offsets after the header that all delegations share. */
enum {
  DELEGATION_AUTHORITY = 107,
  DELEGATION_MINT = 139,
  FIXED_AMOUNT = 171, /* the amount that may still be transferred */
  FIXED_EXPIRY = 179,
  FIXED_LEN = 187,
  RECURRING_START = 171,
  RECURRING_PERIOD_SECONDS = 179,
  RECURRING_EXPIRY = 187,
  RECURRING_CAP = 195,
  RECURRING_PULLED = 203,
  RECURRING_LEN = 211,
};

/*
 * Maximum time between signing and landing. It is checked when a delegation is created, never
 * later.
 */
#define DRIFT_ALLOWED_SECONDS 120
#define MAX_DELEGATION_PERIOD_SECONDS 31536000

INLINE int is_past(i64 instant, i64 time) { return instant < subtract_saturating(time, DRIFT_ALLOWED_SECONDS); }

/* --------------------------------------------------------------------------- making delegations */

INLINE void delegation_seeds(Pda *pda, const Account *authority, const Account *delegator, const Account *delegatee,
                             const u8 *nonce) {
  set_seeds(pda, (Slice){"delegation", 10}, address_seed(&authority->address), address_seed(&delegator->address));
  add_seed(pda, address_seed(&delegatee->address));
  add_seed(pda, (Slice){nonce, 8});
}

/* The nonce is the first field of both instructions. */
HANDLER u64 create_delegation(const Call *call, u8 kind, u64 len, i64 seen_init_id) {
  REQUIRE(call->count >= 5, NOT_ENOUGH_ACCOUNT_KEYS);
  Account *delegator = call->account[0], *authority = call->account[1], *delegation = call->account[2];
  Account *delegatee = call->account[3], *payer;
  TRY(check_signer(delegator));
  TRY(check_writable(delegator));
  TRY(check_writable(delegation));
  TRY(check_system_program(call->account[4]));
  TRY(check_authority(authority));
  TRY(find_payer(call, 5, delegator, &payer));

  REQUIRE(delegation->data_len == 0, DELEGATION_ALREADY_EXISTS);
  REQUIRE(same_address(authority->data + AUTHORITY_USER, &delegator->address), UNAUTHORIZED);
  TRY(check_init_id(authority, seen_init_id));
  Pda pda;
  delegation_seeds(&pda, authority, delegator, delegatee, call->data);
  REQUIRE(!find_address(&pda, &PROGRAM) && same_address(&pda.address, &delegation->address), INVALID_DELEGATE_PDA);
  TRY(create_account(payer, delegation, &pda, len));

  u8 *data = delegation->data;
  data[0] = kind;
  data[DELEGATION_VERSION] = CURRENT_VERSION;
  data[DELEGATION_BUMP] = pda.bump;
  copy_address(data + DELEGATION_DELEGATOR, &delegator->address);
  copy_address(data + DELEGATION_DELEGATEE, &delegatee->address);
  copy_address(data + DELEGATION_PAYER, &payer->address);
  store(data + DELEGATION_INIT_ID, load(authority->data + AUTHORITY_INIT_ID));
  copy_address(data + DELEGATION_AUTHORITY, &authority->address);
  copy_address(data + DELEGATION_MINT, authority->data + AUTHORITY_MINT);
  return 0;
}

enum { NEW_FIXED_AMOUNT = 8, NEW_FIXED_EXPIRY = 16, NEW_FIXED_INIT_ID = 24, NEW_FIXED_LEN = 32 };

/* 1: a total amount, until an expiry or without an end. */
HANDLER u64 create_fixed_delegation(const Call *call) {
  REQUIRE(call->data_len == NEW_FIXED_LEN, INVALID_INSTRUCTION_DATA);
  const u8 *wanted = call->data;
  u64 amount = load(wanted + NEW_FIXED_AMOUNT);
  i64 expiry = (i64)load(wanted + NEW_FIXED_EXPIRY);
  REQUIRE(expiry == 0 || !is_past(expiry, now()), FIXED_EXPIRY_IN_PAST);
  REQUIRE(amount != 0, FIXED_AMOUNT_ZERO);
  TRY(create_delegation(call, KIND_FIXED, FIXED_LEN, (i64)load(wanted + NEW_FIXED_INIT_ID)));
  u8 *data = call->account[2]->data;
  store(data + FIXED_AMOUNT, amount);
  store(data + FIXED_EXPIRY, (u64)expiry);
  return 0;
}

enum {
  NEW_RECURRING_CAP = 8,
  NEW_RECURRING_PERIOD_SECONDS = 16,
  NEW_RECURRING_START = 24,
  NEW_RECURRING_EXPIRY = 32,
  NEW_RECURRING_INIT_ID = 40,
  NEW_RECURRING_LEN = 48,
};

/*
 * A delegation that starts when it lands needs an expiry. Otherwise a delayed transaction could
 * start it at any time.
 */
INLINE u64 check_start(i64 start, i64 expiry, i64 time) {
  if (start == 0) {
    REQUIRE(expiry != 0, START_ON_LANDING_REQUIRES_EXPIRY);
    REQUIRE(time < expiry, RECURRING_START_AFTER_EXPIRY);
    return 0;
  }
  REQUIRE(!is_past(start, time), RECURRING_START_IN_PAST);
  REQUIRE(expiry == 0 || start < expiry, RECURRING_START_AFTER_EXPIRY);
  return 0;
}

/* 2: an amount in every period. */
HANDLER u64 create_recurring_delegation(const Call *call) {
  REQUIRE(call->data_len == NEW_RECURRING_LEN, INVALID_INSTRUCTION_DATA);
  const u8 *wanted = call->data;
  i64 start = (i64)load(wanted + NEW_RECURRING_START), expiry = (i64)load(wanted + NEW_RECURRING_EXPIRY), time = now();
  u64 seconds = load(wanted + NEW_RECURRING_PERIOD_SECONDS), cap = load(wanted + NEW_RECURRING_CAP);
  TRY(check_start(start, expiry, time));
  REQUIRE(seconds >= 1 && seconds <= MAX_DELEGATION_PERIOD_SECONDS, INVALID_PERIOD_LENGTH);
  REQUIRE(cap != 0, RECURRING_AMOUNT_ZERO);
  TRY(create_delegation(call, KIND_RECURRING, RECURRING_LEN, (i64)load(wanted + NEW_RECURRING_INIT_ID)));
  u8 *data = call->account[2]->data;
  store(data + RECURRING_START, (u64)(start == 0 ? time : start));
  store(data + RECURRING_PERIOD_SECONDS, seconds);
  store(data + RECURRING_EXPIRY, (u64)expiry);
  store(data + RECURRING_CAP, cap);
  store(data + RECURRING_PULLED, 0);
  return 0;
}

/* --------------------------------------------------------------------------------- transferring */

/* The checks of 4 and 5 before they count: first the accounts, then the delegation itself. */
HANDLER u64 check_transfer(const Call *call, u8 kind, u64 len, Transfer *transfer) {
  REQUIRE(call->data_len == TRANSFER_DATA_LEN, INVALID_INSTRUCTION_DATA);
  REQUIRE(call->count >= 9, NOT_ENOUGH_ACCOUNT_KEYS);
  Account *delegation = call->account[0], *delegatee = call->account[6];
  *transfer = (Transfer){call->account[2], call->account[4], call->account[3], call->account[1], call->account[5], 9};
  TRY(check_ours(delegation));
  TRY(check_writable(delegation));
  TRY(check_writable(transfer->from));
  TRY(check_writable(transfer->to));
  TRY(check_authority(transfer->authority));
  TRY(check_token_program(transfer->token_program));
  TRY(check_mint(transfer->mint, transfer->token_program));
  TRY(check_token_account(transfer->from, transfer->token_program));
  TRY(check_token_account(transfer->to, transfer->token_program));
  TRY(check_signer(delegatee));

  TRY(check_version(delegation, kind));
  REQUIRE(delegation->data_len == len, INVALID_ACCOUNT_DATA);
  const u8 *data = delegation->data;
  REQUIRE(same_address(data + DELEGATION_DELEGATOR, call->data + TRANSFER_DELEGATOR) &&
              same_address(data + DELEGATION_DELEGATEE, &delegatee->address),
          UNAUTHORIZED);
  REQUIRE(same_address(data + DELEGATION_AUTHORITY, &transfer->authority->address), INVALID_DELEGATE_PDA);
  REQUIRE(same_address(data + DELEGATION_MINT, call->data + TRANSFER_MINT), MINT_MISMATCH);
  return 0;
}

INLINE i64 init_id_of(const Call *call) { return (i64)load(call->account[0]->data + DELEGATION_INIT_ID); }

INLINE void begin_transfer_event(Event *event, u8 kind, const Call *call) {
  begin_event(event, kind);
  add_address(event, &call->account[0]->address);
  add_address(event, call->data + TRANSFER_DELEGATOR);
  add_address(event, &call->account[6]->address);
  add_address(event, call->data + TRANSFER_MINT);
  add_number(event, load(call->data + TRANSFER_AMOUNT));
}

INLINE u64 emit_transfer(Event *event, const Call *call, const Account *to) {
  add_address(event, to->data + TOKEN_ACCOUNT_OWNER);
  add_address(event, &to->address);
  return emit(call->account[7], call->account[8], event);
}

/* 4: pulls from a fixed delegation. */
HANDLER u64 transfer_fixed(const Call *call) {
  Transfer transfer;
  TRY(check_transfer(call, KIND_FIXED, FIXED_LEN, &transfer));
  u8 *data = call->account[0]->data;
  u64 amount = load(call->data + TRANSFER_AMOUNT), left = load(data + FIXED_AMOUNT);
  REQUIRE(amount != 0, INVALID_AMOUNT);
  REQUIRE(!has_ended((i64)load(data + FIXED_EXPIRY), now()), DELEGATION_EXPIRED);
  REQUIRE(amount <= left, AMOUNT_EXCEEDS_LIMIT);
  left -= amount;
  store(data + FIXED_AMOUNT, left);
  TRY(transfer_as_delegate(call, &transfer, init_id_of(call)));

  Event event;
  begin_transfer_event(&event, EVENT_FIXED_TRANSFER, call);
  add_number(&event, left);
  return emit_transfer(&event, call, transfer.to);
}

/* 5: pulls from a recurring delegation. */
HANDLER u64 transfer_recurring(const Call *call) {
  Transfer transfer;
  TRY(check_transfer(call, KIND_RECURRING, RECURRING_LEN, &transfer));
  u8 *data = call->account[0]->data;
  u64 length = load(data + RECURRING_PERIOD_SECONDS);
  i64 expiry = (i64)load(data + RECURRING_EXPIRY);
  Period period = {(i64)load(data + RECURRING_START), load(data + RECURRING_PULLED)};
  TRY(count_pull(&period, load(call->data + TRANSFER_AMOUNT), load(data + RECURRING_CAP), length, expiry, now()));
  store(data + RECURRING_START, (u64)period.start);
  store(data + RECURRING_PULLED, period.pulled);
  TRY(transfer_as_delegate(call, &transfer, init_id_of(call)));

  Event event;
  begin_transfer_event(&event, EVENT_RECURRING_TRANSFER, call);
  add_number(&event, (u64)period.start);
  add_number(&event, (u64)end_of_pulled_period(&period, length, expiry));
  add_number(&event, period.pulled);
  return emit_transfer(&event, call, transfer.to);
}

/* -------------------------------------------------------------------------------------- closing */

INLINE u64 len_of_kind(u8 kind) { return kind == KIND_FIXED ? FIXED_LEN : RECURRING_LEN; }

/* The payer of the rent may recover it once nothing more can be transferred. */
INLINE u64 check_sponsor_may_close(const Account *delegation, i64 time) {
  const u8 *data = delegation->data;
  REQUIRE(delegation->data_len >= len_of_kind(data[0]), INVALID_ACCOUNT_DATA);
  if (data[0] == KIND_RECURRING) return has_ended((i64)load(data + RECURRING_EXPIRY), time) ? 0 : UNAUTHORIZED;
  return has_ended((i64)load(data + FIXED_EXPIRY), time) || load(data + FIXED_AMOUNT) == 0 ? 0 : UNAUTHORIZED;
}

/*
 * 3: closes a subscription that has ended, or any delegation. A new account at the same address
 * counts from zero.
 */
HANDLER u64 revoke_delegation(const Call *call) {
  REQUIRE(call->count >= 2, NOT_ENOUGH_ACCOUNT_KEYS);
  Account *actor = call->account[0], *delegation = call->account[1];
  TRY(check_signer(actor));
  TRY(check_writable(actor));
  TRY(check_writable(delegation));
  TRY(check_ours(delegation));
  const u8 *data = delegation->data;
  REQUIRE(delegation->data_len >= DELEGATION_HEADER_LEN, INVALID_HEADER_DATA);
  REQUIRE(data[0] >= KIND_FIXED && data[0] <= KIND_SUBSCRIPTION, INVALID_ACCOUNT_DISCRIMINATOR);
  if (data[0] == KIND_SUBSCRIPTION) return revoke_subscription(call, now());

  if (!same_address(data + DELEGATION_DELEGATOR, &actor->address)) {
    REQUIRE(same_address(data + DELEGATION_PAYER, &actor->address), UNAUTHORIZED);
    TRY(check_sponsor_may_close(delegation, now()));
  }
  return close_to_payer(delegation, data + DELEGATION_PAYER, actor, call->count > 2 ? call->account[2] : 0);
}

/*
 * A closed authority is dead only after the slot that is its init id. Within that slot it could be
 * created again with the same init id, and its delegations would work again.
 */
INLINE u64 check_authority_is_dead(const Account *authority, i64 init_id) {
  if (!is_ours(authority)) return current_slot() > init_id ? 0 : UNAUTHORIZED;
  if (check_authority(authority)) return 0;
  return (i64)load(authority->data + AUTHORITY_INIT_ID) != init_id ? 0 : UNAUTHORIZED;
}

/* The first two accounts of 15 and 16. */
INLINE u64 check_abandoned(const Account *payer, const Account *delegation) {
  TRY(check_signer(payer));
  TRY(check_writable(payer));
  TRY(check_writable(delegation));
  return check_ours(delegation);
}

/* 15: returns the rent of a delegation whose authority is dead to its payer. */
HANDLER u64 revoke_abandoned_delegation(const Call *call) {
  REQUIRE(call->count >= 3, NOT_ENOUGH_ACCOUNT_KEYS);
  Account *payer = call->account[0], *delegation = call->account[1], *authority = call->account[2];
  TRY(check_abandoned(payer, delegation));
  const u8 *data = delegation->data;
  REQUIRE(delegation->data_len >= DELEGATION_HEADER_LEN, INVALID_HEADER_DATA);
  REQUIRE(data[0] == KIND_FIXED || data[0] == KIND_RECURRING, INVALID_ACCOUNT_DISCRIMINATOR);
  REQUIRE(delegation->data_len >= len_of_kind(data[0]), INVALID_ACCOUNT_DATA);
  REQUIRE(same_address(data + DELEGATION_PAYER, &payer->address) &&
              same_address(data + DELEGATION_AUTHORITY, &authority->address),
          UNAUTHORIZED);
  TRY(check_authority_is_dead(authority, (i64)load(data + DELEGATION_INIT_ID)));
  return close_account(delegation, payer);
}

/* 16: the same for a subscription. Its plan must exist, because it names the mint. */
HANDLER u64 revoke_abandoned_subscription(const Call *call) {
  REQUIRE(call->count >= 4, NOT_ENOUGH_ACCOUNT_KEYS);
  Account *payer = call->account[0], *subscription = call->account[1];
  Account *authority = call->account[2], *plan = call->account[3];
  TRY(check_abandoned(payer, subscription));
  const u8 *data = subscription->data;
  REQUIRE(subscription->data_len >= SUBSCRIPTION_LEN, INVALID_ACCOUNT_DATA);
  REQUIRE(data[0] == KIND_SUBSCRIPTION, INVALID_ACCOUNT_DISCRIMINATOR);
  REQUIRE(same_address(data + DELEGATION_PAYER, &payer->address), UNAUTHORIZED);
  REQUIRE(same_address(data + DELEGATION_DELEGATEE, &plan->address), SUBSCRIPTION_PLAN_MISMATCH);
  REQUIRE(is_ours(plan), PLAN_CLOSED);
  TRY(check_plan(plan));
  Pda pda;
  authority_seeds(&pda, data + DELEGATION_DELEGATOR, plan->data + PLAN_MINT);
  REQUIRE(!find_address(&pda, &PROGRAM) && same_address(&pda.address, &authority->address),
          INVALID_SUBSCRIPTION_AUTHORITY_PDA);
  TRY(check_authority_is_dead(authority, (i64)load(data + DELEGATION_INIT_ID)));
  return close_account(subscription, payer);
}
