/*
 * A stand-in for the Solana Foundation's Subscriptions & Allowances program, for local networks.
 *
 * It is wire-compatible with release 0.5.0 of De1egAFMkMWZSN5rYXRj9CAdheBamobVNubTsi9avR44 in all
 * instructions (0 to 17 and the event call 228). Accounts, data, account bytes and events are the
 * same. The checks are the same and in the same order, so that a wrong transaction fails here with
 * the same code as on Mainnet. test/localnet/differential compares the two if the official binary
 * is available. One difference is intended: see minimum_balance.
 *
 * This is our own compact implementation. It is not audited. Never deploy it to a network where
 * money is real.
 *
 * How it is written, and why:
 * - Accounts are read and written in place, in the buffer the runtime maps: nothing is copied, and
 *   after a call that creates an account its new length is in the buffer. Offsets are named,
 *   because the layouts are packed.
 * - A handler returns 0 or the error; TRY and REQUIRE return early. Errors need no clean-up,
 *   because the runtime rolls back.
 * - There are no writable statics, because the file format does not support them. A stack frame is
 *   limited to 4096 bytes.
 * - build.ts builds it with plain clang for sBPF v3 and explains the flags.
 */

typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef long long i64;

#define INLINE static inline __attribute__((always_inline))
/* A handler has its own stack frame. Inlined together, the handlers would exceed the limit. */
#define HANDLER static __attribute__((noinline))

#define REQUIRE(condition, code) \
  do {                           \
    if (!(condition)) return (code); \
  } while (0)

#define TRY(call)                 \
  do {                            \
    u64 failure = (call);         \
    if (failure) return failure;  \
  } while (0)

/* --------------------------------------------------------------------------------------- errors */

enum {
  NOT_SIGNER = 100,
  INVALID_SUBSCRIPTION_AUTHORITY_PDA = 103,
  NOT_SYSTEM_PROGRAM = 104,
  INVALID_TOKEN_PROGRAM = 105,
  INVALID_TOKEN_2022_MINT = 106,
  INVALID_TOKEN_2022_ACCOUNT = 107,
  INVALID_ASSOCIATED_TOKEN_ACCOUNT = 108,
  INVALID_SPL_MINT = 109,
  INVALID_SPL_ACCOUNT = 110,
  INVALID_ACCOUNT_DATA = 111,
  INVALID_INSTRUCTION_DATA = 112,
  NOT_ENOUGH_ACCOUNT_KEYS = 113,
  INVALID_INSTRUCTION = 114,
  ARITHMETIC_OVERFLOW = 115,
  ARITHMETIC_UNDERFLOW = 116,
  INVALID_ACCOUNT_DISCRIMINATOR = 117,
  MINT_MISMATCH = 125,
  INVALID_DELEGATE_PDA = 126,
  INVALID_HEADER_DATA = 127,
  DELEGATION_EXPIRED = 128,
  INVALID_AMOUNT = 129,
  UNAUTHORIZED = 130,
  ACCOUNT_NOT_WRITABLE = 131,
  DELEGATION_VERSION_MISMATCH = 133,
  MIGRATION_REQUIRED = 134,
  DELEGATION_ALREADY_EXISTS = 135,
  STALE_SUBSCRIPTION_AUTHORITY = 136,
  AMOUNT_EXCEEDS_LIMIT = 300,
  FIXED_EXPIRY_IN_PAST = 301,
  FIXED_AMOUNT_ZERO = 302,
  AMOUNT_EXCEEDS_PERIOD_LIMIT = 400,
  INVALID_PERIOD_LENGTH = 402,
  RECURRING_START_IN_PAST = 404,
  RECURRING_START_AFTER_EXPIRY = 405,
  RECURRING_AMOUNT_ZERO = 406,
  DELEGATION_NOT_STARTED = 407,
  START_ON_LANDING_REQUIRES_EXPIRY = 408,
  PLAN_SUNSET = 500,
  PLAN_EXPIRED = 501,
  INVALID_PLAN_PDA = 502,
  INVALID_SUBSCRIPTION_PDA = 503,
  NOT_PLAN_OWNER = 504,
  SUBSCRIPTION_PLAN_MISMATCH = 505,
  UNAUTHORIZED_DESTINATION = 506,
  SUBSCRIPTION_CANCELLED = 508,
  SUBSCRIPTION_ALREADY_CANCELLED = 509,
  SUBSCRIPTION_NOT_CANCELLED = 510,
  INVALID_END_TS = 511,
  INVALID_PLAN_STATUS = 512,
  PLAN_IMMUTABLE_AFTER_SUNSET = 513,
  SUNSET_REQUIRES_END_TS = 514,
  PLAN_NOT_EXPIRED = 515,
  PLAN_CLOSED = 516,
  ALREADY_SUBSCRIBED = 517,
  PLAN_ALREADY_EXISTS = 518,
  PLAN_TERMS_MISMATCH = 519,
  PLAN_END_TS_CANNOT_EXTEND = 520,
  STALE_SUBSCRIPTION_APPROVAL = 521,
  STALE_PLAN_APPROVAL = 522,
  INVALID_EVENT_AUTHORITY = 600,
  INVALID_SELF_PROGRAM = 604,
};

/*
 * The runtime's own errors are in the upper half of the result; the official program uses a few of
 * them.
 */
#define RUNTIME_ERROR(number) ((u64)(number) << 32)
#define INVALID_ARGUMENT RUNTIME_ERROR(2)
#define MISSING_REQUIRED_SIGNATURE RUNTIME_ERROR(8)
#define RUNTIME_NOT_ENOUGH_ACCOUNT_KEYS RUNTIME_ERROR(11)
#define UNSUPPORTED_SYSVAR RUNTIME_ERROR(17)
#define INVALID_ACCOUNT_OWNER RUNTIME_ERROR(23)

/* ------------------------------------------------------------------------------------ addresses */

#define ADDRESS_LEN 32

typedef struct {
  u8 bytes[ADDRESS_LEN];
} __attribute__((aligned(8))) Address;

/* De1egAFMkMWZSN5rYXRj9CAdheBamobVNubTsi9avR44 */
static const Address PROGRAM = {{0xbb, 0xc7, 0x77, 0xaf, 0xba, 0x68, 0xf0, 0x12, 0x3e, 0xc0, 0xc4,
                                 0xd1, 0xb7, 0xee, 0x89, 0x6e, 0x93, 0x01, 0xc9, 0x29, 0xc5, 0x5a,
                                 0x06, 0xba, 0x95, 0x18, 0x21, 0x58, 0x25, 0x8c, 0x15, 0xa9}};
/*
 * 3Hnj4BYoDgtpBuqXfiy7Y8cNa3jXaNd4oqgSXBzkMcH7, the program address of "event_authority" with this
 * bump
 */
static const Address EVENT_AUTHORITY = {{0x22, 0x04, 0x5e, 0x49, 0xe3, 0xda, 0x36, 0xb5, 0x6d, 0xe1, 0x7b,
                                         0xd1, 0x68, 0xb4, 0x5a, 0xa2, 0x21, 0xb3, 0x10, 0xde, 0x85, 0xbd,
                                         0xa8, 0xab, 0xa1, 0x5e, 0x81, 0xb0, 0x0f, 0xba, 0x85, 0x82}};
static const u8 EVENT_AUTHORITY_BUMP = 251;
/* TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA */
static const Address TOKEN_PROGRAM = {{0x06, 0xdd, 0xf6, 0xe1, 0xd7, 0x65, 0xa1, 0x93, 0xd9, 0xcb, 0xe1,
                                       0x46, 0xce, 0xeb, 0x79, 0xac, 0x1c, 0xb4, 0x85, 0xed, 0x5f, 0x5b,
                                       0x37, 0x91, 0x3a, 0x8c, 0xf5, 0x85, 0x7e, 0xff, 0x00, 0xa9}};
/* TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb */
static const Address TOKEN_2022_PROGRAM = {{0x06, 0xdd, 0xf6, 0xe1, 0xee, 0x75, 0x8f, 0xde, 0x18, 0x42, 0x5d,
                                            0xbc, 0xe4, 0x6c, 0xcd, 0xda, 0xb6, 0x1a, 0xfc, 0x4d, 0x83, 0xb9,
                                            0x0d, 0x27, 0xfe, 0xbd, 0xf9, 0x28, 0xd8, 0xa1, 0x8b, 0xfc}};
/* ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL */
static const Address ASSOCIATED_TOKEN_PROGRAM = {{0x8c, 0x97, 0x25, 0x8f, 0x4e, 0x24, 0x89, 0xf1,
                                                  0xbb, 0x3d, 0x10, 0x29, 0x14, 0x8e, 0x0d, 0x83,
                                                  0x0b, 0x5a, 0x13, 0x99, 0xda, 0xff, 0x10, 0x84,
                                                  0x04, 0x8e, 0x7b, 0xd8, 0xdb, 0xe9, 0xf8, 0x59}};
/* 11111111111111111111111111111111, which also fills the unused places of a plan's lists */
static const Address SYSTEM_PROGRAM = {{0}};

/* ------------------------------------------------------------------------------ bytes in memory */

/*
 * The virtual machine loads and stores 8 bytes at any address. clang assumes that BPF cannot, and
 * would split an unaligned access into eight. This type declares every address as aligned.
 */
typedef u64 __attribute__((may_alias)) word;

INLINE u64 load(const u8 *from) { return *(const word *)from; }

INLINE void store(u8 *to, u64 value) { *(word *)to = value; }

INLINE int same_address(const void *a, const void *b) {
  const word *x = a, *y = b;
  return x[0] == y[0] && x[1] == y[1] && x[2] == y[2] && x[3] == y[3];
}

INLINE int is_no_address(const void *a) { return same_address(a, &SYSTEM_PROGRAM); }

/* Callers of these two functions pass constant lengths that are multiples of 8. */
INLINE void copy_words(void *to, const void *from, u64 bytes) {
  word *x = to;
  const word *y = from;
  for (u64 i = 0; i < bytes / 8; i++) x[i] = y[i];
}

INLINE int same_words(const void *a, const void *b, u64 bytes) {
  const word *x = a, *y = b;
  for (u64 i = 0; i < bytes / 8; i++)
    if (x[i] != y[i]) return 0;
  return 1;
}

INLINE void copy_address(void *to, const void *from) { copy_words(to, from, ADDRESS_LEN); }

/* -------------------------------------------------------------------------------------- runtime */

/*
 * An account as the runtime serialises it: the header, the data, room to grow, padding and a rent
 * epoch.
 */
typedef struct {
  /* 0xff: not a duplicate. Otherwise only 8 bytes: the index of the first occurrence. */
  u8 duplicate_of;
  u8 is_signer;
  u8 is_writable;
  u8 is_executable;
  u32 original_data_len;
  Address address;
  Address owner;
  u64 lamports;
  u64 data_len;
  u8 data[];
} Account;

#define ROOM_TO_GROW 10240

/* Maximum accounts that the runtime passes to an instruction. */
#define MAX_ACCOUNTS 255

typedef struct {
  u64 count;
  Account **account;
  const u8 *data; /* after the discriminator */
  u64 data_len;
} Call;

typedef struct {
  u64 slot;
  i64 epoch_start_timestamp;
  u64 epoch;
  u64 leader_schedule_epoch;
  i64 now;
} Clock;

typedef struct {
  u64 lamports_per_byte;
  u64 exemption_threshold; /* a double's bits */
  u8 burn_percent;
} Rent;

/* The C layouts of a call to another program. */
typedef struct {
  const void *at;
  u64 len;
} Slice;

typedef struct {
  const Address *address;
  u8 is_writable;
  u8 is_signer;
} AccountMeta;

typedef struct {
  const Address *address;
  u64 *lamports;
  u64 data_len;
  u8 *data;
  const Address *owner;
  u64 rent_epoch;
  u8 is_signer;
  u8 is_writable;
  u8 is_executable;
} AccountInfo;

typedef struct {
  const Address *program;
  const AccountMeta *accounts;
  u64 accounts_len;
  const u8 *data;
  u64 data_len;
} Instruction;

/* A system call is a call to an address that is the murmur3 hash of its name. */
static u64 (*const sol_invoke_signed_c)(const Instruction *, const AccountInfo *, u64, const Slice *, u64) =
    (void *)0xa22b9c85;
static u64 (*const sol_create_program_address)(const Slice *, u64, const Address *, Address *) = (void *)0x9377323c;
static u64 (*const sol_try_find_program_address)(const Slice *, u64, const Address *, Address *, u8 *) =
    (void *)0x48504a38;
static u64 (*const sol_get_clock_sysvar)(Clock *) = (void *)0xd56b5fe9;
static u64 (*const sol_get_rent_sysvar)(Rent *) = (void *)0xbf7188f6;
static void (*const sol_abort)(void) = (void *)0xb6fc1a11;

/*
 * The heap of this instruction, 32 KiB. Buffers that are too large for a stack frame have fixed
 * addresses in it.
 */
#define HEAP 0x300000000ULL
#define ACCOUNT_TABLE ((Account **)HEAP)
#define HOOK_CALL ((HookCall *)(HEAP + MAX_ACCOUNTS * sizeof(Account *)))

INLINE i64 now(void) {
  Clock clock;
  sol_get_clock_sysvar(&clock);
  return clock.now;
}

INLINE i64 current_slot(void) {
  Clock clock;
  sol_get_clock_sysvar(&clock);
  return (i64)clock.slot;
}

/* ------------------------------------------------------------------------------ account layouts */

enum { KIND_SUBSCRIPTION_AUTHORITY = 0, KIND_PLAN = 1, KIND_FIXED = 2, KIND_RECURRING = 3, KIND_SUBSCRIPTION = 4 };

enum {
  AUTHORITY_USER = 1,
  AUTHORITY_MINT = 33,
  AUTHORITY_PAYER = 65,
  AUTHORITY_BUMP = 97,
  AUTHORITY_INIT_ID = 98,
  AUTHORITY_LEN = 106,
};

enum {
  PLAN_OWNER = 1,
  PLAN_BUMP = 33,
  PLAN_STATUS = 34,
  PLAN_ID = 35,
  PLAN_MINT = 43,
  PLAN_TERMS = 75, /* amount, period in hours, created at */
  PLAN_PERIOD_HOURS = 83,
  PLAN_CREATED_AT = 91,
  PLAN_END_TS = 99,
  PLAN_DESTINATIONS = 107,
  PLAN_PULLERS = 235,
  PLAN_METADATA_URI = 363,
  PLAN_LEN = 491,
};

enum { STATUS_SUNSET = 0, STATUS_ACTIVE = 1 };

/*
 * Fixed and recurring delegations and subscriptions have the same first fields; a subscription's
 * delegatee is its plan.
 */
enum {
  DELEGATION_VERSION = 1,
  DELEGATION_BUMP = 2,
  DELEGATION_DELEGATOR = 3,
  DELEGATION_DELEGATEE = 35,
  DELEGATION_PAYER = 67,
  DELEGATION_INIT_ID = 99,
  DELEGATION_HEADER_LEN = 107,
};

enum {
  SUBSCRIPTION_TERMS = 107, /* the plan's terms to which the subscriber agreed */
  SUBSCRIPTION_PERIOD_HOURS = 115,
  SUBSCRIPTION_PULLED = 131,
  SUBSCRIPTION_PERIOD_START = 139,
  SUBSCRIPTION_EXPIRES_AT = 147,
  SUBSCRIPTION_LEN = 155,
};

#define CURRENT_VERSION 1
#define TERMS_LEN 24
#define LIST_PLACES 4
#define LIST_LEN (LIST_PLACES * ADDRESS_LEN)
#define URI_LEN 128
#define SECONDS_PER_HOUR 3600
#define MAX_PERIOD_HOURS 8760

enum { TOKEN_ACCOUNT_MINT = 0, TOKEN_ACCOUNT_OWNER = 32, TOKEN_ACCOUNT_DELEGATE = 72, TOKEN_ACCOUNT_LEN = 165 };
enum { MINT_DECIMALS = 44, MINT_IS_INITIALIZED = 45, MINT_LEN = 82 };
/*
 * A Token-2022 account with extensions has its account type directly after the base layout of a
 * token account.
 */
enum { TOKEN_2022_TYPE = 165, TOKEN_2022_MINT = 1, TOKEN_2022_ACCOUNT = 2 };

/* --------------------------------------------------------------------------- checks of accounts */

INLINE u64 check_signer(const Account *account) { return account->is_signer ? 0 : NOT_SIGNER; }

INLINE u64 check_writable(const Account *account) { return account->is_writable ? 0 : ACCOUNT_NOT_WRITABLE; }

INLINE int is_ours(const Account *account) { return same_address(&account->owner, &PROGRAM); }

INLINE u64 check_ours(const Account *account) { return is_ours(account) ? 0 : INVALID_ACCOUNT_OWNER; }

INLINE u64 check_system_program(const Account *account) {
  return same_address(&account->address, &SYSTEM_PROGRAM) ? 0 : NOT_SYSTEM_PROGRAM;
}

/* Every check tests the length first, so that no byte after the end is read. */
INLINE u64 check_layout(const Account *account, u64 len, u8 kind) {
  REQUIRE(account->data_len == len, INVALID_ACCOUNT_DATA);
  REQUIRE(account->data[0] == kind, INVALID_ACCOUNT_DISCRIMINATOR);
  return 0;
}

INLINE u64 check_plan(const Account *plan) { return check_layout(plan, PLAN_LEN, KIND_PLAN); }

INLINE u64 check_authority(const Account *authority) {
  REQUIRE(is_ours(authority), INVALID_SUBSCRIPTION_AUTHORITY_PDA);
  return check_layout(authority, AUTHORITY_LEN, KIND_SUBSCRIPTION_AUTHORITY);
}

INLINE u64 check_version(const Account *delegation, u8 kind) {
  REQUIRE(delegation->data_len > DELEGATION_VERSION, INVALID_ACCOUNT_DATA);
  REQUIRE(delegation->data[0] == kind, INVALID_ACCOUNT_DISCRIMINATOR);
  u8 version = delegation->data[DELEGATION_VERSION];
  REQUIRE(version <= CURRENT_VERSION, DELEGATION_VERSION_MISMATCH);
  REQUIRE(version == CURRENT_VERSION, MIGRATION_REQUIRED);
  return 0;
}

/*
 * Cancelling and resuming accept a subscription that is longer than the current layout. Pulling
 * does not.
 */
INLINE u64 check_subscription(const Account *subscription) {
  TRY(check_version(subscription, KIND_SUBSCRIPTION));
  REQUIRE(subscription->data_len >= SUBSCRIPTION_LEN, INVALID_ACCOUNT_DATA);
  return 0;
}

INLINE u64 check_token_program(const Account *program) {
  REQUIRE(same_address(&program->address, &TOKEN_PROGRAM) || same_address(&program->address, &TOKEN_2022_PROGRAM),
          INVALID_TOKEN_PROGRAM);
  return 0;
}

INLINE u64 check_owned_by(const Account *account, const Account *program) {
  return same_address(&account->owner, &program->address) ? 0 : INVALID_TOKEN_PROGRAM;
}

HANDLER u64 check_mint(const Account *mint, const Account *token_program) {
  u64 len = mint->data_len;
  const u8 *data = mint->data;
  if (same_address(&mint->owner, &TOKEN_2022_PROGRAM)) {
    REQUIRE(len >= MINT_LEN && data[MINT_IS_INITIALIZED] == 1, INVALID_TOKEN_2022_MINT);
    REQUIRE(len == MINT_LEN || (len > TOKEN_2022_TYPE && data[TOKEN_2022_TYPE] == TOKEN_2022_MINT),
            INVALID_TOKEN_2022_MINT);
  } else {
    REQUIRE(same_address(&mint->owner, &TOKEN_PROGRAM), INVALID_SPL_MINT);
    REQUIRE(len == MINT_LEN && data[MINT_IS_INITIALIZED] == 1, INVALID_SPL_MINT);
  }
  return check_owned_by(mint, token_program);
}

HANDLER u64 check_token_account(const Account *account, const Account *token_program) {
  u64 len = account->data_len;
  if (same_address(&account->owner, &TOKEN_2022_PROGRAM)) {
    REQUIRE(len == TOKEN_ACCOUNT_LEN || (len > TOKEN_2022_TYPE && account->data[TOKEN_2022_TYPE] == TOKEN_2022_ACCOUNT),
            INVALID_TOKEN_2022_ACCOUNT);
  } else {
    REQUIRE(same_address(&account->owner, &TOKEN_PROGRAM), INVALID_SPL_ACCOUNT);
    REQUIRE(len == TOKEN_ACCOUNT_LEN, INVALID_SPL_ACCOUNT);
  }
  return check_owned_by(account, token_program);
}

/* The account after the required ones, if there is one, pays the rent. */
INLINE u64 find_payer(const Call *call, u64 required, Account *otherwise, Account **payer) {
  *payer = otherwise;
  if (call->count == required) return 0;
  *payer = call->account[required];
  TRY(check_signer(*payer));
  return check_writable(*payer);
}

/* ----------------------------------------------------------------------------------- arithmetic */

/*
 * The official program aborts (ProgramFailedToComplete) on an unexpected arithmetic overflow, and
 * returns 115 or 116 on an expected one. No transaction can create accounts with such numbers. The
 * division and multiplication are written out because the virtual machine has no signed division,
 * and 128-bit products would need a library.
 */
#define I64_MAX ((i64)0x7fffffffffffffffULL)
#define I64_MIN (-I64_MAX - 1)

INLINE u64 magnitude(i64 number) { return number < 0 ? 0 - (u64)number : (u64)number; }

INLINE int add_fits(i64 a, i64 b, i64 *sum) {
  *sum = (i64)((u64)a + (u64)b);
  return ((a ^ *sum) & (b ^ *sum)) >= 0;
}

INLINE int multiply_fits(i64 a, i64 b, i64 *product) {
  u64 x = magnitude(a), y = magnitude(b);
  int negative = (a < 0) != (b < 0);
  *product = (i64)(negative ? 0 - x * y : x * y);
  return y == 0 || x <= ((u64)I64_MAX + (u64)negative) / y;
}

INLINE i64 add_or_end(i64 a, i64 b) {
  i64 sum;
  if (!add_fits(a, b, &sum)) sol_abort();
  return sum;
}

INLINE i64 divide_or_end(i64 a, i64 b) {
  if (b == 0 || (a == I64_MIN && b == -1)) sol_abort();
  u64 quotient = magnitude(a) / magnitude(b);
  return (i64)((a < 0) != (b < 0) ? 0 - quotient : quotient);
}

/* Returns the nearest number that fits. */
INLINE i64 subtract_saturating(i64 a, i64 b) {
  i64 difference = (i64)((u64)a - (u64)b);
  if (((a ^ b) & (a ^ difference)) >= 0) return difference;
  return a < 0 ? I64_MIN : I64_MAX;
}

INLINE int hours_fit(u64 hours) { return hours <= ~0ULL / SECONDS_PER_HOUR; }

/* ---------------------------------------------------------------------------- program addresses */

/* A delegation's address has five seeds and a bump; every other address has three and a bump. */
#define MAX_SEEDS 5

typedef struct {
  Slice seeds[MAX_SEEDS + 1];
  u64 count; /* without the bump */
  Address address;
  u8 bump;
} Pda;

INLINE void add_seed(Pda *pda, Slice seed) {
  pda->seeds[pda->count++] = seed;
  pda->seeds[pda->count] = (Slice){&pda->bump, 1};
}

INLINE void set_seeds(Pda *pda, Slice first, Slice second, Slice third) {
  pda->count = 0;
  add_seed(pda, first);
  add_seed(pda, second);
  add_seed(pda, third);
}

INLINE Slice address_seed(const void *address) { return (Slice){address, ADDRESS_LEN}; }

INLINE void authority_seeds(Pda *pda, const void *user, const void *mint) {
  set_seeds(pda, (Slice){"SubscriptionAuthority", 21}, address_seed(user), address_seed(mint));
}

INLINE void plan_seeds(Pda *pda, const void *owner, const void *plan_id) {
  set_seeds(pda, (Slice){"plan", 4}, address_seed(owner), (Slice){plan_id, 8});
}

INLINE void subscription_seeds(Pda *pda, const void *plan, const void *subscriber) {
  set_seeds(pda, (Slice){"subscription", 12}, address_seed(plan), address_seed(subscriber));
}

/* Costs 1,500 compute units per tested bump. Used only where no account stores the bump. */
INLINE u64 find_address(Pda *pda, const Address *program) {
  return sol_try_find_program_address(pda->seeds, pda->count, program, &pda->address, &pda->bump);
}

INLINE u64 derive_address(Pda *pda, u8 bump) {
  pda->bump = bump;
  return sol_create_program_address(pda->seeds, pda->count + 1, &PROGRAM, &pda->address);
}

HANDLER u64 check_associated(const Account *account, const void *wallet, const Account *mint,
                             const Account *token_program) {
  Pda pda;
  set_seeds(&pda, address_seed(wallet), address_seed(&token_program->address), address_seed(&mint->address));
  REQUIRE(!find_address(&pda, &ASSOCIATED_TOKEN_PROGRAM), INVALID_ASSOCIATED_TOKEN_ACCOUNT);
  REQUIRE(same_address(&pda.address, &account->address), INVALID_ASSOCIATED_TOKEN_ACCOUNT);
  return 0;
}

/* ---------------------------------------------------------------------- calls to other programs */

#define MAX_CALL_ACCOUNTS 4

typedef struct {
  Instruction instruction;
  AccountMeta metas[MAX_CALL_ACCOUNTS];
  AccountInfo infos[MAX_CALL_ACCOUNTS];
} Invocation;

enum { READ = 0, WRITE = 1, SIGN = 2 };

INLINE void begin(Invocation *invocation, const Address *program, const void *data, u64 data_len) {
  invocation->instruction = (Instruction){program, invocation->metas, 0, data, data_len};
}

INLINE AccountInfo account_info(Account *account) {
  return (AccountInfo){&account->address, &account->lamports, account->data_len,    account->data,
                       &account->owner,   0,                  account->is_signer, account->is_writable,
                       account->is_executable};
}

INLINE void with(Invocation *invocation, Account *account, u8 use) {
  u64 i = invocation->instruction.accounts_len++;
  invocation->metas[i] = (AccountMeta){&account->address, (use & WRITE) != 0, (use & SIGN) != 0};
  invocation->infos[i] = account_info(account);
}

/*
 * An error in the called program ends the whole transaction, so these functions return no such
 * error.
 */
INLINE u64 invoke(const Invocation *invocation, const Slice *signer, u64 signers) {
  return sol_invoke_signed_c(&invocation->instruction, invocation->infos, invocation->instruction.accounts_len, signer,
                             signers);
}

INLINE u64 invoke_as(const Invocation *invocation, const Pda *pda) {
  Slice signer = {pda->seeds, pda->count + 1};
  return invoke(invocation, &signer, 1);
}

/* ------------------------------------------------------------------------------------ lifecycle */

enum { SYSTEM_CREATE_ACCOUNT = 0, SYSTEM_ASSIGN = 1, SYSTEM_TRANSFER = 2, SYSTEM_ALLOCATE = 8 };

#define ONE_AS_DOUBLE 0x3ff0000000000000ULL
#define TWO_AS_DOUBLE 0x4000000000000000ULL
#define ACCOUNT_OVERHEAD 128

/*
 * The exemption threshold was two years at first. The newer rent model includes it in the price per
 * byte and sets it to one. Release 0.5.0 does not read the threshold and assumes one, so on a
 * cluster with a threshold of two its accounts would lack half of their rent and could not be
 * created. Later releases read the threshold, and so does this program. Clusters and local networks
 * now have a threshold of one, with which all of them agree.
 */
INLINE u64 minimum_balance(u64 space, u64 *lamports) {
  Rent rent;
  TRY(sol_get_rent_sysvar(&rent));
  REQUIRE(rent.exemption_threshold == ONE_AS_DOUBLE || rent.exemption_threshold == TWO_AS_DOUBLE, UNSUPPORTED_SYSVAR);
  *lamports = (ACCOUNT_OVERHEAD + space) * rent.lamports_per_byte;
  if (rent.exemption_threshold == TWO_AS_DOUBLE) *lamports *= 2;
  return 0;
}

/*
 * The body follows the 4 bytes of the instruction's number without a gap. The padding before the
 * number aligns the body to 8 bytes.
 */
typedef struct {
  u32 room;
  u32 instruction;
  u8 body[8 + 8 + ADDRESS_LEN];
} __attribute__((aligned(8))) SystemData;

INLINE void call_system(Invocation *invocation, const SystemData *data, u64 body_len) {
  begin(invocation, &SYSTEM_PROGRAM, &data->instruction, 4 + body_len);
}

/*
 * Anyone may send lamports to an address before its account exists, and the system program creates
 * no account that has lamports. In that case three calls create the account, and the payer adds
 * only the missing lamports.
 */
HANDLER u64 create_account(Account *payer, Account *account, const Pda *pda, u64 space) {
  u64 lamports;
  Invocation invocation;
  SystemData data;
  TRY(minimum_balance(space, &lamports));

  if (account->lamports == 0) {
    data.instruction = SYSTEM_CREATE_ACCOUNT;
    store(data.body, lamports);
    store(data.body + 8, space);
    copy_address(data.body + 16, &PROGRAM);
    call_system(&invocation, &data, 16 + ADDRESS_LEN);
    with(&invocation, payer, WRITE | SIGN);
    with(&invocation, account, WRITE | SIGN);
    return invoke_as(&invocation, pda);
  }

  if (account->lamports < lamports) {
    data.instruction = SYSTEM_TRANSFER;
    store(data.body, lamports - account->lamports);
    call_system(&invocation, &data, 8);
    with(&invocation, payer, WRITE | SIGN);
    with(&invocation, account, WRITE);
    TRY(invoke(&invocation, 0, 0));
  }

  data.instruction = SYSTEM_ALLOCATE;
  store(data.body, space);
  call_system(&invocation, &data, 8);
  with(&invocation, account, WRITE | SIGN);
  TRY(invoke_as(&invocation, pda));

  data.instruction = SYSTEM_ASSIGN;
  copy_address(data.body, &PROGRAM);
  call_system(&invocation, &data, ADDRESS_LEN);
  with(&invocation, account, WRITE | SIGN);
  return invoke_as(&invocation, pda);
}

/* Moves the lamports to the receiver and returns the empty account to the system program. */
INLINE u64 close_account(Account *account, Account *receiver) {
  u64 lamports = receiver->lamports + account->lamports;
  REQUIRE(lamports >= account->lamports, ARITHMETIC_OVERFLOW);
  receiver->lamports = lamports;
  account->lamports = 0;
  account->data_len = 0;
  copy_address(&account->owner, &SYSTEM_PROGRAM);
  return 0;
}

/*
 * The rent goes back to the account that paid it: the signer, or the optional account after the
 * required ones.
 */
INLINE u64 close_to_payer(Account *account, const u8 *payer, Account *actor, Account *receiver) {
  if (same_address(payer, &actor->address)) return close_account(account, actor);
  REQUIRE(receiver, NOT_ENOUGH_ACCOUNT_KEYS);
  TRY(check_writable(receiver));
  REQUIRE(same_address(payer, &receiver->address), UNAUTHORIZED);
  return close_account(account, receiver);
}

/* --------------------------------------------------------------------------------------- events */

enum {
  EVENT_SUBSCRIPTION_CREATED = 0,
  EVENT_SUBSCRIPTION_CANCELLED = 1,
  EVENT_SUBSCRIPTION_TRANSFER = 2,
  EVENT_FIXED_TRANSFER = 3,
  EVENT_RECURRING_TRANSFER = 4,
  EVENT_SUBSCRIPTION_RESUMED = 5,
  EVENT_PLAN_UPDATED = 6,
};

/*
 * The first 8 bytes of an event, little-endian. The first byte is also the discriminator of the
 * event instruction.
 */
#define EVENT_TAG 0x1d9acb512ea545e4ULL
#define EMIT_EVENT 0xe4
#define EVENT_CAPACITY 272

/*
 * An event is the instruction data of a call to this program itself. Unlike a log line, which may
 * be truncated, it stays in the transaction.
 */
typedef struct {
  u8 bytes[EVENT_CAPACITY];
  u64 len;
} Event;

INLINE void begin_event(Event *event, u8 kind) {
  store(event->bytes, EVENT_TAG);
  event->bytes[8] = kind;
  event->len = 9;
}

INLINE void add_byte(Event *event, u8 value) { event->bytes[event->len++] = value; }

INLINE void add_number(Event *event, u64 value) {
  store(event->bytes + event->len, value);
  event->len += 8;
}

INLINE void add_address(Event *event, const void *address) {
  copy_address(event->bytes + event->len, address);
  event->len += ADDRESS_LEN;
}

HANDLER u64 emit(Account *event_authority, const Account *self_program, const Event *event) {
  REQUIRE(same_address(&event_authority->address, &EVENT_AUTHORITY), INVALID_EVENT_AUTHORITY);
  REQUIRE(same_address(&self_program->address, &PROGRAM), INVALID_SELF_PROGRAM);
  /*
   * The seeds are set one by one, because a constant table of pointers needs relocation, which the
   * loader does not support.
   */
  Slice seeds[2];
  seeds[0] = (Slice){"event_authority", 15};
  seeds[1] = (Slice){&EVENT_AUTHORITY_BUMP, 1};
  Slice signer = {seeds, 2};
  Invocation invocation;
  begin(&invocation, &PROGRAM, event->bytes, event->len);
  with(&invocation, event_authority, SIGN);
  return invoke(&invocation, &signer, 1);
}

/*
 * 228: the instruction that emit() calls. It does nothing, but only the event authority may call
 * it.
 */
HANDLER u64 emit_event(const Call *call) {
  REQUIRE(call->count == 1, RUNTIME_NOT_ENOUGH_ACCOUNT_KEYS);
  const Account *event_authority = call->account[0];
  REQUIRE(event_authority->is_signer, MISSING_REQUIRED_SIGNATURE);
  REQUIRE(same_address(&event_authority->address, &EVENT_AUTHORITY), INVALID_EVENT_AUTHORITY);
  return 0;
}

/* --------------------------------------------------------------------- subscription authorities */

enum { TOKEN_APPROVE = 4, TOKEN_REVOKE = 5, TOKEN_TRANSFER_CHECKED = 12 };

typedef struct {
  u8 room[7];
  u8 instruction;
  u64 amount;
  u8 decimals;
} TokenData;

INLINE u64 check_wallet_and_mint(const Account *token_account, const void *wallet, const void *mint) {
  REQUIRE(same_address(token_account->data + TOKEN_ACCOUNT_OWNER, wallet), UNAUTHORIZED);
  REQUIRE(same_address(token_account->data + TOKEN_ACCOUNT_MINT, mint), MINT_MISMATCH);
  return 0;
}

/* 0: creates the authority, or only renews its approval if it exists. */
HANDLER u64 init_subscription_authority(const Call *call) {
  REQUIRE(call->count >= 6, NOT_ENOUGH_ACCOUNT_KEYS);
  Account *user = call->account[0], *authority = call->account[1], *mint = call->account[2];
  Account *token_account = call->account[3], *system_program = call->account[4], *token_program = call->account[5];
  Account *payer;
  TRY(check_signer(user));
  TRY(check_writable(user));
  TRY(check_writable(authority));
  TRY(check_writable(token_account));
  TRY(check_mint(mint, token_program));
  TRY(check_token_account(token_account, token_program));
  TRY(check_token_program(token_program));
  TRY(check_system_program(system_program));
  TRY(find_payer(call, 6, user, &payer));

  Pda pda;
  authority_seeds(&pda, &user->address, &mint->address);
  REQUIRE(!find_address(&pda, &PROGRAM) && same_address(&pda.address, &authority->address),
          INVALID_SUBSCRIPTION_AUTHORITY_PDA);

  if (authority->data_len == 0) {
    TRY(create_account(payer, authority, &pda, AUTHORITY_LEN));
    u8 *data = authority->data;
    data[0] = KIND_SUBSCRIPTION_AUTHORITY;
    copy_address(data + AUTHORITY_USER, &user->address);
    copy_address(data + AUTHORITY_MINT, &mint->address);
    copy_address(data + AUTHORITY_PAYER, &payer->address);
    data[AUTHORITY_BUMP] = pda.bump;
    store(data + AUTHORITY_INIT_ID, current_slot());
  }

  TRY(check_wallet_and_mint(token_account, &user->address, &mint->address));
  TRY(check_associated(token_account, &user->address, mint, token_program));

  TokenData data;
  data.instruction = TOKEN_APPROVE;
  data.amount = ~0ULL;
  Invocation invocation;
  begin(&invocation, &token_program->address, &data.instruction, 9);
  with(&invocation, token_account, WRITE);
  with(&invocation, authority, READ);
  with(&invocation, user, SIGN);
  return invoke(&invocation, 0, 0);
}

HANDLER u64 close_authority(Account *user, Account *authority, Account *receiver) {
  const u8 *data = authority->data;
  TRY(check_layout(authority, AUTHORITY_LEN, KIND_SUBSCRIPTION_AUTHORITY));
  REQUIRE(same_address(data + AUTHORITY_USER, &user->address), UNAUTHORIZED);
  Pda pda;
  authority_seeds(&pda, data + AUTHORITY_USER, data + AUTHORITY_MINT);
  REQUIRE(!derive_address(&pda, data[AUTHORITY_BUMP]) && same_address(&pda.address, &authority->address),
          INVALID_SUBSCRIPTION_AUTHORITY_PDA);
  return close_to_payer(authority, data + AUTHORITY_PAYER, user, receiver);
}

/* 6: closes the authority; the approval stays. */
HANDLER u64 close_subscription_authority(const Call *call) {
  REQUIRE(call->count >= 2, NOT_ENOUGH_ACCOUNT_KEYS);
  Account *user = call->account[0], *authority = call->account[1];
  TRY(check_signer(user));
  TRY(check_writable(user));
  TRY(check_writable(authority));
  TRY(check_ours(authority));
  return close_authority(user, authority, call->count > 2 ? call->account[2] : 0);
}

/*
 * 14: closes the authority and revokes the approval, but not the approval of another delegate.
 */
HANDLER u64 revoke_subscription_authority(const Call *call) {
  REQUIRE(call->count >= 5, NOT_ENOUGH_ACCOUNT_KEYS);
  Account *user = call->account[0], *token_account = call->account[1], *mint = call->account[2];
  Account *token_program = call->account[3], *authority = call->account[4];
  TRY(check_signer(user));
  TRY(check_writable(user));
  TRY(check_writable(token_account));
  TRY(check_token_program(token_program));
  TRY(check_mint(mint, token_program));
  TRY(check_token_account(token_account, token_program));
  TRY(check_writable(authority));
  TRY(check_wallet_and_mint(token_account, &user->address, &mint->address));

  Pda pda;
  authority_seeds(&pda, &user->address, &mint->address);
  REQUIRE(!find_address(&pda, &PROGRAM), INVALID_SUBSCRIPTION_AUTHORITY_PDA);
  TRY(check_associated(token_account, &user->address, mint, token_program));

  const u8 *delegate = token_account->data + TOKEN_ACCOUNT_DELEGATE;
  int has_delegate = delegate[0] | delegate[1] | delegate[2] | delegate[3];
  if (has_delegate && same_address(delegate + 4, &pda.address)) {
    u8 instruction = TOKEN_REVOKE;
    Invocation invocation;
    begin(&invocation, &token_program->address, &instruction, 1);
    with(&invocation, token_account, WRITE);
    with(&invocation, user, SIGN);
    TRY(invoke(&invocation, 0, 0));
  }

  REQUIRE(same_address(&pda.address, &authority->address), INVALID_SUBSCRIPTION_AUTHORITY_PDA);
  if (!is_ours(authority) || authority->data_len == 0) return 0;
  return close_authority(user, authority, call->count > 5 ? call->account[5] : 0);
}

/* ---------------------------------------------------------------------------------------- plans */

/* The data of createPlan has the layout of the plan account from its id on. */
#define CREATE_PLAN_DATA_LEN (PLAN_LEN - PLAN_ID)
#define IN_PLAN_DATA(offset) ((offset)-PLAN_ID)

/* An end must be at least one period from now. */
INLINE u64 check_end(i64 end, u64 period_hours, i64 time) {
  if (end == 0) return 0;
  if (!hours_fit(period_hours)) sol_abort();
  REQUIRE(add_or_end(time, (i64)(period_hours * SECONDS_PER_HOUR)) <= end, INVALID_END_TS);
  return 0;
}

INLINE int has_ended(i64 end, i64 time) { return end != 0 && time > end; }

INLINE i64 plan_end(const Account *plan) { return (i64)load(plan->data + PLAN_END_TS); }

/* 7: checks its data before its accounts. */
HANDLER u64 create_plan(const Call *call) {
  REQUIRE(call->data_len == CREATE_PLAN_DATA_LEN, INVALID_INSTRUCTION_DATA);
  const u8 *wanted = call->data;
  i64 time = now();
  u64 period_hours = load(wanted + IN_PLAN_DATA(PLAN_PERIOD_HOURS));
  REQUIRE(load(wanted + IN_PLAN_DATA(PLAN_TERMS)) != 0, INVALID_AMOUNT);
  REQUIRE(period_hours >= 1 && period_hours <= MAX_PERIOD_HOURS, INVALID_PERIOD_LENGTH);
  TRY(check_end((i64)load(wanted + IN_PLAN_DATA(PLAN_END_TS)), period_hours, time));

  REQUIRE(call->count >= 5, NOT_ENOUGH_ACCOUNT_KEYS);
  Account *merchant = call->account[0], *plan = call->account[1], *mint = call->account[2];
  Account *system_program = call->account[3], *token_program = call->account[4];
  Account *payer;
  TRY(check_signer(merchant));
  TRY(check_writable(merchant));
  TRY(check_writable(plan));
  TRY(check_mint(mint, token_program));
  TRY(check_token_program(token_program));
  TRY(check_system_program(system_program));
  TRY(find_payer(call, 5, merchant, &payer));
  REQUIRE(same_address(&mint->address, wanted + IN_PLAN_DATA(PLAN_MINT)), MINT_MISMATCH);

  REQUIRE(plan->data_len == 0, PLAN_ALREADY_EXISTS);
  Pda pda;
  plan_seeds(&pda, &merchant->address, wanted);
  REQUIRE(!find_address(&pda, &PROGRAM) && same_address(&pda.address, &plan->address), INVALID_PLAN_PDA);
  TRY(create_account(payer, plan, &pda, PLAN_LEN));

  u8 *data = plan->data;
  data[0] = KIND_PLAN;
  copy_address(data + PLAN_OWNER, &merchant->address);
  data[PLAN_BUMP] = pda.bump;
  data[PLAN_STATUS] = STATUS_ACTIVE;
  copy_words(data + PLAN_ID, wanted, CREATE_PLAN_DATA_LEN);
  store(data + PLAN_CREATED_AT, (u64)time);
  return 0;
}

enum {
  UPDATE_STATUS = 0,
  UPDATE_END_TS = 1,
  UPDATE_PULLERS = 9,
  UPDATE_METADATA_URI = 137,
  /* The values that the owner saw when signing: a delayed update must not overwrite a later one. */
  UPDATE_SEEN_CREATED_AT = 265,
  UPDATE_SEEN_END_TS = 273,
  UPDATE_SEEN_PULLERS = 281,
  UPDATE_SEEN_METADATA_URI = 409,
  UPDATE_DATA_LEN = 537,
};

/* After sunset the owner may still remove pullers, for example a stolen key. */
INLINE u64 check_only_fewer_pullers(const u8 *plan, const u8 *update) {
  REQUIRE(update[UPDATE_STATUS] == STATUS_SUNSET && load(update + UPDATE_END_TS) == load(plan + PLAN_END_TS) &&
              same_words(update + UPDATE_METADATA_URI, plan + PLAN_METADATA_URI, URI_LEN),
          PLAN_IMMUTABLE_AFTER_SUNSET);
  for (u64 i = 0; i < LIST_LEN; i += ADDRESS_LEN) {
    const u8 *puller = update + UPDATE_PULLERS + i;
    int known = is_no_address(puller);
    for (u64 j = 0; j < LIST_LEN; j += ADDRESS_LEN) known |= same_address(puller, plan + PLAN_PULLERS + j);
    REQUIRE(known, PLAN_IMMUTABLE_AFTER_SUNSET);
  }
  return 0;
}

INLINE u64 check_active_update(const u8 *plan, const u8 *update) {
  i64 end = (i64)load(plan + PLAN_END_TS), new_end = (i64)load(update + UPDATE_END_TS);
  REQUIRE(update[UPDATE_STATUS] != STATUS_SUNSET || new_end != 0, SUNSET_REQUIRES_END_TS);
  i64 time = now();
  REQUIRE(update[UPDATE_STATUS] <= STATUS_ACTIVE, INVALID_PLAN_STATUS);
  REQUIRE(!has_ended(end, time), PLAN_EXPIRED);
  REQUIRE(end == 0 || (new_end != 0 && new_end <= end), PLAN_END_TS_CANNOT_EXTEND);
  /*
   * An unchanged end may be less than one period from now: the other fields stay editable until the
   * end.
   */
  if (new_end != end) TRY(check_end(new_end, load(plan + PLAN_PERIOD_HOURS), time));
  return 0;
}

/* 8: changes the fields that a plan may change. */
HANDLER u64 update_plan(const Call *call) {
  REQUIRE(call->data_len == UPDATE_DATA_LEN, INVALID_INSTRUCTION_DATA);
  REQUIRE(call->count == 4, NOT_ENOUGH_ACCOUNT_KEYS);
  Account *owner = call->account[0], *plan = call->account[1];
  TRY(check_signer(owner));
  TRY(check_writable(plan));
  TRY(check_ours(plan));
  TRY(check_plan(plan));

  u8 *data = plan->data;
  const u8 *update = call->data;
  REQUIRE(same_address(data + PLAN_OWNER, &owner->address), NOT_PLAN_OWNER);
  REQUIRE(load(data + PLAN_CREATED_AT) == load(update + UPDATE_SEEN_CREATED_AT) &&
              load(data + PLAN_END_TS) == load(update + UPDATE_SEEN_END_TS) &&
              same_words(data + PLAN_PULLERS, update + UPDATE_SEEN_PULLERS, LIST_LEN) &&
              same_words(data + PLAN_METADATA_URI, update + UPDATE_SEEN_METADATA_URI, URI_LEN),
          STALE_PLAN_APPROVAL);

  if (data[PLAN_STATUS] == STATUS_SUNSET) {
    TRY(check_only_fewer_pullers(data, update));
  } else {
    TRY(check_active_update(data, update));
    data[PLAN_STATUS] = update[UPDATE_STATUS];
    store(data + PLAN_END_TS, load(update + UPDATE_END_TS));
    copy_words(data + PLAN_METADATA_URI, update + UPDATE_METADATA_URI, URI_LEN);
  }
  copy_words(data + PLAN_PULLERS, update + UPDATE_PULLERS, LIST_LEN);

  Event event;
  begin_event(&event, EVENT_PLAN_UPDATED);
  add_address(&event, &plan->address);
  add_address(&event, data + PLAN_OWNER);
  add_byte(&event, update[UPDATE_STATUS]);
  add_number(&event, load(update + UPDATE_END_TS));
  for (u64 i = 0; i < LIST_PLACES; i++) add_address(&event, update + UPDATE_PULLERS + i * ADDRESS_LEN);
  return emit(call->account[2], call->account[3], &event);
}

/* 9: the rent goes to the owner, even if another account paid it. */
HANDLER u64 delete_plan(const Call *call) {
  REQUIRE(call->count == 2, NOT_ENOUGH_ACCOUNT_KEYS);
  Account *owner = call->account[0], *plan = call->account[1];
  TRY(check_signer(owner));
  TRY(check_writable(owner));
  TRY(check_writable(plan));
  TRY(check_ours(plan));
  TRY(check_plan(plan));
  REQUIRE(same_address(plan->data + PLAN_OWNER, &owner->address), NOT_PLAN_OWNER);
  REQUIRE(has_ended(plan_end(plan), now()), PLAN_NOT_EXPIRED);
  return close_account(plan, owner);
}

/* -------------------------------------------------------------------------------- subscriptions */

INLINE int same_terms(const Account *subscription, const Account *plan) {
  return same_words(subscription->data + SUBSCRIPTION_TERMS, plan->data + PLAN_TERMS, TERMS_LEN);
}

INLINE i64 expires_at(const Account *subscription) { return (i64)load(subscription->data + SUBSCRIPTION_EXPIRES_AT); }

INLINE u64 period_seconds(const Account *subscription, u64 *seconds) {
  u64 hours = load(subscription->data + SUBSCRIPTION_PERIOD_HOURS);
  REQUIRE(hours_fit(hours), ARITHMETIC_OVERFLOW);
  *seconds = hours * SECONDS_PER_HOUR;
  return 0;
}

INLINE u64 check_parties(const Account *subscription, const void *subscriber, const Account *plan) {
  REQUIRE(same_address(subscription->data + DELEGATION_DELEGATOR, subscriber), UNAUTHORIZED);
  REQUIRE(same_address(subscription->data + DELEGATION_DELEGATEE, &plan->address), SUBSCRIPTION_PLAN_MISMATCH);
  return 0;
}

enum {
  SUBSCRIBE_PLAN_ID = 0,
  SUBSCRIBE_PLAN_BUMP = 8,
  SUBSCRIBE_MINT = 9,
  SUBSCRIBE_TERMS = 41,
  SUBSCRIBE_INIT_ID = 65,
  SUBSCRIBE_DATA_LEN = 73,
};

/*
 * i64::MIN stands for an authority that is created in this slot: a client cannot know its init id
 * before it lands.
 */
#define MADE_IN_THIS_SLOT ((i64)0x8000000000000000ULL)

INLINE u64 check_init_id(const Account *authority, i64 seen) {
  i64 wanted = seen == MADE_IN_THIS_SLOT ? current_slot() : seen;
  return (i64)load(authority->data + AUTHORITY_INIT_ID) == wanted ? 0 : STALE_SUBSCRIPTION_AUTHORITY;
}

INLINE u64 check_authority_of(const Account *authority, const Account *subscriber, const void *mint) {
  REQUIRE(same_address(authority->data + AUTHORITY_USER, &subscriber->address), UNAUTHORIZED);
  REQUIRE(same_address(authority->data + AUTHORITY_MINT, mint), MINT_MISMATCH);
  return 0;
}

/* 11: the first period starts now. */
HANDLER u64 subscribe(const Call *call) {
  REQUIRE(call->data_len == SUBSCRIBE_DATA_LEN, INVALID_INSTRUCTION_DATA);
  REQUIRE(call->count >= 8, NOT_ENOUGH_ACCOUNT_KEYS);
  Account *subscriber = call->account[0], *merchant = call->account[1], *plan = call->account[2];
  Account *subscription = call->account[3], *authority = call->account[4];
  Account *payer;
  TRY(check_signer(subscriber));
  TRY(check_writable(subscriber));
  TRY(check_ours(plan));
  TRY(check_writable(subscription));
  TRY(check_authority(authority));
  TRY(check_system_program(call->account[5]));
  TRY(find_payer(call, 8, subscriber, &payer));

  const u8 *agreed = call->data;
  i64 time = now();
  Pda pda;
  plan_seeds(&pda, &merchant->address, agreed + SUBSCRIBE_PLAN_ID);
  REQUIRE(!derive_address(&pda, agreed[SUBSCRIBE_PLAN_BUMP]) && same_address(&pda.address, &plan->address),
          INVALID_PLAN_PDA);
  TRY(check_plan(plan));
  const u8 *mint = plan->data + PLAN_MINT;
  REQUIRE(plan->data[PLAN_STATUS] <= STATUS_ACTIVE, INVALID_ACCOUNT_DATA);
  REQUIRE(plan->data[PLAN_STATUS] == STATUS_ACTIVE, PLAN_SUNSET);
  REQUIRE(!has_ended(plan_end(plan), time), PLAN_EXPIRED);
  REQUIRE(same_address(mint, agreed + SUBSCRIBE_MINT) &&
              same_words(plan->data + PLAN_TERMS, agreed + SUBSCRIBE_TERMS, TERMS_LEN),
          PLAN_TERMS_MISMATCH);

  TRY(check_authority_of(authority, subscriber, mint));
  TRY(check_init_id(authority, (i64)load(agreed + SUBSCRIBE_INIT_ID)));

  subscription_seeds(&pda, &plan->address, &subscriber->address);
  REQUIRE(!find_address(&pda, &PROGRAM) && same_address(&pda.address, &subscription->address),
          INVALID_SUBSCRIPTION_PDA);
  REQUIRE(subscription->data_len == 0, ALREADY_SUBSCRIBED);
  TRY(create_account(payer, subscription, &pda, SUBSCRIPTION_LEN));

  u8 *data = subscription->data;
  data[0] = KIND_SUBSCRIPTION;
  data[DELEGATION_VERSION] = CURRENT_VERSION;
  data[DELEGATION_BUMP] = pda.bump;
  copy_address(data + DELEGATION_DELEGATOR, &subscriber->address);
  copy_address(data + DELEGATION_DELEGATEE, &plan->address);
  copy_address(data + DELEGATION_PAYER, &payer->address);
  store(data + DELEGATION_INIT_ID, load(authority->data + AUTHORITY_INIT_ID));
  copy_words(data + SUBSCRIPTION_TERMS, plan->data + PLAN_TERMS, TERMS_LEN);
  store(data + SUBSCRIPTION_PULLED, 0);
  store(data + SUBSCRIPTION_PERIOD_START, (u64)time);
  store(data + SUBSCRIPTION_EXPIRES_AT, 0);

  Event event;
  begin_event(&event, EVENT_SUBSCRIPTION_CREATED);
  add_address(&event, &plan->address);
  add_address(&event, &subscriber->address);
  add_address(&event, mint);
  add_number(&event, (u64)time);
  add_address(&event, &payer->address);
  return emit(call->account[6], call->account[7], &event);
}

INLINE u64 emit_cancelled(const Call *call, const Account *plan, const Account *subscriber, i64 expires) {
  Event event;
  begin_event(&event, EVENT_SUBSCRIPTION_CANCELLED);
  add_address(&event, &plan->address);
  add_address(&event, &subscriber->address);
  add_number(&event, (u64)expires);
  /* These are always the last two accounts: a cancellation takes no optional accounts. */
  return emit(call->account[call->count - 2], call->account[call->count - 1], &event);
}

/*
 * The end of the period that contains `time`, but at most one second after the plan's end, which is
 * inclusive.
 */
INLINE u64 end_of_period(const Account *subscription, const Account *plan, i64 time, i64 *expires) {
  u64 seconds;
  TRY(period_seconds(subscription, &seconds));
  i64 start = (i64)load(subscription->data + SUBSCRIPTION_PERIOD_START), end = plan_end(plan), periods, span;
  periods = divide_or_end(subtract_saturating(time, start), (i64)seconds);
  REQUIRE(add_fits(periods, 1, &periods) && multiply_fits(periods, (i64)seconds, &span) &&
              add_fits(start, span, expires),
          ARITHMETIC_OVERFLOW);
  if (end != 0 && *expires > end) *expires = end + 1;
  return 0;
}

/* 12: the current period stays collectible, because it may not be paid yet. */
HANDLER u64 cancel_subscription(const Call *call) {
  REQUIRE(call->count == 5, NOT_ENOUGH_ACCOUNT_KEYS);
  Account *subscriber = call->account[0], *plan = call->account[1], *subscription = call->account[2];
  TRY(check_signer(subscriber));
  TRY(check_ours(subscription));
  TRY(check_writable(subscription));
  i64 time = now(), expires = time;
  TRY(check_subscription(subscription));
  REQUIRE(same_address(subscription->data + DELEGATION_DELEGATOR, &subscriber->address), UNAUTHORIZED);
  REQUIRE(expires_at(subscription) == 0, SUBSCRIPTION_ALREADY_CANCELLED);
  REQUIRE(same_address(subscription->data + DELEGATION_DELEGATEE, &plan->address), SUBSCRIPTION_PLAN_MISMATCH);

  /*
   * A plan that is closed, or was created again with other terms, can collect nothing more, so the
   * subscription ends now.
   */
  if (is_ours(plan)) {
    TRY(check_plan(plan));
    if (same_terms(subscription, plan)) TRY(end_of_period(subscription, plan, time, &expires));
  }
  store(subscription->data + SUBSCRIPTION_EXPIRES_AT, (u64)expires);
  return emit_cancelled(call, plan, subscriber, expires);
}

/*
 * 17: the subscriber and the merchant agree that the subscription ends now. The period start that
 * they saw distinguishes this subscription from a later one.
 */
HANDLER u64 cancel_subscription_now(const Call *call) {
  REQUIRE(call->data_len == 8, INVALID_INSTRUCTION_DATA);
  REQUIRE(call->count == 6, NOT_ENOUGH_ACCOUNT_KEYS);
  Account *subscriber = call->account[0], *merchant = call->account[1], *plan = call->account[2];
  Account *subscription = call->account[3];
  TRY(check_signer(subscriber));
  TRY(check_signer(merchant));
  TRY(check_ours(plan));
  TRY(check_ours(subscription));
  TRY(check_writable(subscription));
  i64 time = now();
  TRY(check_plan(plan));
  REQUIRE(same_address(plan->data + PLAN_OWNER, &merchant->address), NOT_PLAN_OWNER);
  TRY(check_subscription(subscription));
  TRY(check_parties(subscription, &subscriber->address, plan));
  REQUIRE(load(subscription->data + SUBSCRIPTION_PERIOD_START) == load(call->data), STALE_SUBSCRIPTION_APPROVAL);
  REQUIRE(expires_at(subscription) == 0 || expires_at(subscription) > time, SUBSCRIPTION_ALREADY_CANCELLED);
  store(subscription->data + SUBSCRIPTION_EXPIRES_AT, (u64)time);
  return emit_cancelled(call, plan, subscriber, time);
}

/* 13: takes back a cancellation that has not taken effect yet. */
HANDLER u64 resume_subscription(const Call *call) {
  REQUIRE(call->data_len == 8, INVALID_INSTRUCTION_DATA);
  REQUIRE(call->count == 6, NOT_ENOUGH_ACCOUNT_KEYS);
  Account *subscriber = call->account[0], *plan = call->account[1], *subscription = call->account[2];
  Account *authority = call->account[3];
  TRY(check_signer(subscriber));
  TRY(check_ours(subscription));
  TRY(check_writable(subscription));
  TRY(check_authority(authority));
  i64 time = now();
  TRY(check_subscription(subscription));
  TRY(check_parties(subscription, &subscriber->address, plan));
  REQUIRE(expires_at(subscription) != 0, SUBSCRIPTION_NOT_CANCELLED);
  REQUIRE(expires_at(subscription) == (i64)load(call->data), STALE_SUBSCRIPTION_APPROVAL);
  REQUIRE(is_ours(plan), PLAN_CLOSED);
  TRY(check_plan(plan));
  REQUIRE(!has_ended(plan_end(plan), time), PLAN_EXPIRED);
  REQUIRE(same_terms(subscription, plan), PLAN_TERMS_MISMATCH);
  TRY(check_authority_of(authority, subscriber, plan->data + PLAN_MINT));
  REQUIRE(load(authority->data + AUTHORITY_INIT_ID) == load(subscription->data + DELEGATION_INIT_ID),
          STALE_SUBSCRIPTION_AUTHORITY);
  REQUIRE(expires_at(subscription) > time, SUBSCRIPTION_CANCELLED);
  store(subscription->data + SUBSCRIPTION_EXPIRES_AT, 0);

  Event event;
  begin_event(&event, EVENT_SUBSCRIPTION_RESUMED);
  add_address(&event, &plan->address);
  add_address(&event, &subscriber->address);
  add_number(&event, (u64)time);
  return emit(call->account[4], call->account[5], &event);
}

/*
 * The payer of the rent may recover it once nothing more can be collected. The subscriber need not
 * agree.
 */
INLINE u64 check_sponsor_may_revoke(const Account *subscription, const Account *plan, i64 time) {
  int is_over = expires_at(subscription) != 0 && expires_at(subscription) <= time;
  if (is_ours(plan)) {
    TRY(check_plan(plan));
    is_over |= !same_terms(subscription, plan) || has_ended(plan_end(plan), time);
  } else {
    is_over = 1;
  }
  return is_over ? 0 : UNAUTHORIZED;
}

HANDLER u64 revoke_subscription(const Call *call, i64 time) {
  Account *actor = call->account[0], *subscription = call->account[1];
  const u8 *data = subscription->data;
  REQUIRE(subscription->data_len >= SUBSCRIPTION_LEN, INVALID_ACCOUNT_DATA);
  REQUIRE(call->count >= 3, NOT_ENOUGH_ACCOUNT_KEYS);
  Account *plan = call->account[2];
  REQUIRE(same_address(data + DELEGATION_DELEGATEE, &plan->address), SUBSCRIPTION_PLAN_MISMATCH);

  if (same_address(data + DELEGATION_DELEGATOR, &actor->address)) {
    REQUIRE(expires_at(subscription) != 0 && expires_at(subscription) <= time, SUBSCRIPTION_NOT_CANCELLED);
  } else {
    REQUIRE(same_address(data + DELEGATION_PAYER, &actor->address), UNAUTHORIZED);
    TRY(check_sponsor_may_revoke(subscription, plan, time));
  }
  return close_to_payer(subscription, data + DELEGATION_PAYER, actor, call->count > 3 ? call->account[3] : 0);
}

/* ----------------------------------------------------------------------------------- collecting */

enum { TRANSFER_AMOUNT = 0, TRANSFER_DELEGATOR = 8, TRANSFER_MINT = 40, TRANSFER_DATA_LEN = 72 };

INLINE u64 check_puller(const u8 *plan, const Account *caller) {
  if (same_address(plan + PLAN_OWNER, &caller->address)) return 0;
  for (u64 i = 0; i < LIST_LEN; i += ADDRESS_LEN) {
    const u8 *puller = plan + PLAN_PULLERS + i;
    if (same_address(puller, &caller->address) && !is_no_address(puller)) return 0;
  }
  return UNAUTHORIZED;
}

/* A plan without destinations may pay to any account. */
INLINE u64 check_destination(const u8 *plan, const u8 *receiver) {
  u64 failure = 0;
  for (u64 i = 0; i < LIST_LEN; i += ADDRESS_LEN) {
    const u8 *destination = plan + PLAN_DESTINATIONS + i;
    if (is_no_address(destination)) continue;
    if (same_address(destination, receiver)) return 0;
    failure = UNAUTHORIZED_DESTINATION;
  }
  return failure;
}

typedef struct {
  i64 start;
  u64 pulled;
} Period;

/*
 * Advances to the period that contains `time`. Amounts that earlier periods did not pull are
 * forfeited. No period starts at `end` or later: the last one that starts before `end` continues.
 */
INLINE u64 roll(Period *period, u64 length, i64 end, i64 time) {
  u64 elapsed = (u64)subtract_saturating(time, period->start);
  if (elapsed < length) return 0;
  i64 start = period->start + (i64)(elapsed / length * length);
  if (end != 0 && start >= end) {
    REQUIRE(end != I64_MIN, ARITHMETIC_UNDERFLOW);
    if (end - 1 < period->start) return 0;
    u64 span = (u64)(end - 1) - (u64)period->start;
    REQUIRE(span <= (u64)I64_MAX, ARITHMETIC_UNDERFLOW);
    start = period->start + (i64)(span / length * length);
    if (start == period->start) return 0;
  }
  period->start = start;
  period->pulled = 0;
  return 0;
}

/* Counts the amount against the period's cap. */
INLINE u64 count_pull(Period *period, u64 amount, u64 cap, u64 length, i64 end, i64 time) {
  REQUIRE(amount != 0, INVALID_AMOUNT);
  REQUIRE(!has_ended(end, time), DELEGATION_EXPIRED);
  REQUIRE(length != 0 && length <= (u64)I64_MAX, INVALID_PERIOD_LENGTH);
  REQUIRE(time >= period->start, DELEGATION_NOT_STARTED);
  TRY(roll(period, length, end, time));
  REQUIRE(cap >= period->pulled, ARITHMETIC_UNDERFLOW);
  REQUIRE(amount <= cap - period->pulled, AMOUNT_EXCEEDS_PERIOD_LIMIT);
  period->pulled += amount;
  return 0;
}

/*
 * The period's end for the event. It is calculated after the transfer, so that an error of the
 * transfer comes first.
 */
INLINE i64 end_of_pulled_period(const Period *period, u64 length, i64 end) {
  i64 whole = add_or_end(period->start, (i64)length);
  return end != 0 && whole > end ? end : whole;
}

/* A Token-2022 mint's extensions follow its type byte: type u16, length u16, value. */
enum { EXTENSION_HEADER_LEN = 4, TRANSFER_HOOK = 14, HOOK_PROGRAM = 32, HOOK_LEN = 64 };

INLINE u64 load_u16(const u8 *from) { return (u64)from[0] | (u64)from[1] << 8; }

/*
 * Sets `has_hook` if the mint names a hook program; a hook without a program has no effect. A type
 * of 0 ends the list; padding follows.
 */
HANDLER u64 find_hook(const Account *mint, int *has_hook) {
  *has_hook = 0;
  const u8 *data = mint->data;
  for (u64 at = TOKEN_2022_TYPE + 1; at + 2 <= mint->data_len;) {
    u64 type = load_u16(data + at), left = mint->data_len - at;
    if (type == 0) return 0;
    REQUIRE(left >= EXTENSION_HEADER_LEN, INVALID_TOKEN_2022_MINT);
    u64 length = load_u16(data + at + 2);
    REQUIRE(length <= left - EXTENSION_HEADER_LEN, INVALID_TOKEN_2022_MINT);
    at += EXTENSION_HEADER_LEN;
    if (type == TRANSFER_HOOK) {
      REQUIRE(length == HOOK_LEN, INVALID_TOKEN_2022_MINT);
      *has_hook = !is_no_address(data + at + HOOK_PROGRAM);
      return 0;
    }
    at += length;
  }
  return 0;
}

/*
 * The accounts of a transfer in the order of the token program, and the index of the hook's first
 * account.
 */
typedef struct {
  Account *from;
  Account *mint;
  Account *to;
  Account *authority;
  Account *token_program;
  u64 extras;
} Transfer;

#define TRANSFER_ACCOUNTS 4
#define MAX_HOOK_CALL_ACCOUNTS 128

typedef struct {
  AccountMeta metas[MAX_HOOK_CALL_ACCOUNTS];
  AccountInfo infos[MAX_HOOK_CALL_ACCOUNTS];
} HookCall;

/* The accounts after the instruction's own belong to the hook and are passed on unchanged. */
HANDLER u64 transfer_with_hook(const Call *call, const Transfer *transfer, const Invocation *plain, const Pda *pda) {
  u64 extras = call->count - transfer->extras, count = TRANSFER_ACCOUNTS + extras;
  REQUIRE(count <= MAX_HOOK_CALL_ACCOUNTS, INVALID_ARGUMENT);
  HookCall *hooked = HOOK_CALL;
  for (u64 i = 0; i < TRANSFER_ACCOUNTS; i++) {
    hooked->metas[i] = plain->metas[i];
    hooked->infos[i] = plain->infos[i];
  }
  for (u64 i = 0; i < extras; i++) {
    Account *account = call->account[transfer->extras + i];
    hooked->metas[TRANSFER_ACCOUNTS + i] =
        (AccountMeta){&account->address, account->is_writable, account->is_signer};
    hooked->infos[TRANSFER_ACCOUNTS + i] = account_info(account);
  }
  Instruction instruction = plain->instruction;
  instruction.accounts = hooked->metas;
  instruction.accounts_len = count;
  Slice signer = {pda->seeds, pda->count + 1};
  return sol_invoke_signed_c(&instruction, hooked->infos, count, &signer, 1);
}

/*
 * Transfers the tokens, signed by the delegator's authority. The token program checks the balance.
 */
HANDLER u64 transfer_as_delegate(const Call *call, const Transfer *transfer, i64 init_id) {
  Account *authority = transfer->authority, *from = transfer->from, *to = transfer->to, *mint = transfer->mint;
  const u8 *delegator = call->data + TRANSFER_DELEGATOR, *wanted_mint = call->data + TRANSFER_MINT;
  REQUIRE(same_address(&mint->address, wanted_mint), MINT_MISMATCH);
  /* The program owns the authority, so its fields are true and its address need not be derived. */
  REQUIRE(same_address(authority->data + AUTHORITY_USER, delegator) &&
              same_address(authority->data + AUTHORITY_MINT, wanted_mint),
          INVALID_DELEGATE_PDA);
  REQUIRE((i64)load(authority->data + AUTHORITY_INIT_ID) == init_id, STALE_SUBSCRIPTION_AUTHORITY);
  TRY(check_wallet_and_mint(from, delegator, wanted_mint));
  TRY(check_associated(from, delegator, mint, transfer->token_program));
  REQUIRE(same_address(to->data + TOKEN_ACCOUNT_MINT, wanted_mint), MINT_MISMATCH);
  int has_hook;
  TRY(find_hook(mint, &has_hook));

  Pda pda;
  authority_seeds(&pda, delegator, wanted_mint);
  pda.bump = authority->data[AUTHORITY_BUMP];
  TokenData data;
  data.instruction = TOKEN_TRANSFER_CHECKED;
  data.amount = load(call->data + TRANSFER_AMOUNT);
  data.decimals = mint->data[MINT_DECIMALS];
  Invocation invocation;
  begin(&invocation, &transfer->token_program->address, &data.instruction, 10);
  with(&invocation, from, WRITE);
  with(&invocation, mint, READ);
  with(&invocation, to, WRITE);
  with(&invocation, authority, SIGN);
  return has_hook ? transfer_with_hook(call, transfer, &invocation, &pda) : invoke_as(&invocation, &pda);
}

/* 10: pulls an amount of the current period. */
HANDLER u64 transfer_subscription(const Call *call) {
  REQUIRE(call->data_len == TRANSFER_DATA_LEN, INVALID_INSTRUCTION_DATA);
  REQUIRE(call->count >= 10, NOT_ENOUGH_ACCOUNT_KEYS);
  Account *subscription = call->account[0], *plan = call->account[1], *authority = call->account[2];
  Account *from = call->account[3], *to = call->account[4], *caller = call->account[5];
  Account *mint = call->account[6], *token_program = call->account[7];
  TRY(check_ours(subscription));
  TRY(check_writable(subscription));
  REQUIRE(is_ours(plan), PLAN_CLOSED);
  TRY(check_authority(authority));
  TRY(check_writable(from));
  TRY(check_writable(to));
  TRY(check_signer(caller));
  TRY(check_token_program(token_program));
  TRY(check_mint(mint, token_program));
  TRY(check_token_account(from, token_program));
  TRY(check_token_account(to, token_program));

  const u8 *wanted = call->data, *receiver = to->data + TOKEN_ACCOUNT_OWNER;
  i64 time = now(), plan_end_ts;
  TRY(check_plan(plan));
  REQUIRE(same_address(plan->data + PLAN_MINT, wanted + TRANSFER_MINT), MINT_MISMATCH);
  plan_end_ts = plan_end(plan);
  REQUIRE(!has_ended(plan_end_ts, time), PLAN_EXPIRED);
  TRY(check_puller(plan->data, caller));
  TRY(check_destination(plan->data, receiver));

  TRY(check_version(subscription, KIND_SUBSCRIPTION));
  REQUIRE(subscription->data_len == SUBSCRIPTION_LEN, INVALID_ACCOUNT_DATA);
  const u8 *delegator = subscription->data + DELEGATION_DELEGATOR;
  REQUIRE(same_terms(subscription, plan), PLAN_TERMS_MISMATCH);
  REQUIRE(same_address(subscription->data + DELEGATION_DELEGATEE, &plan->address), SUBSCRIPTION_PLAN_MISMATCH);
  REQUIRE(same_address(delegator, wanted + TRANSFER_DELEGATOR), UNAUTHORIZED);
  REQUIRE(expires_at(subscription) == 0 || expires_at(subscription) > time, SUBSCRIPTION_CANCELLED);

  u64 amount = load(wanted + TRANSFER_AMOUNT), length;
  u8 *data = subscription->data;
  TRY(period_seconds(subscription, &length));
  Period period = {(i64)load(data + SUBSCRIPTION_PERIOD_START), load(data + SUBSCRIPTION_PULLED)};
  TRY(count_pull(&period, amount, load(data + SUBSCRIPTION_TERMS), length, plan_end_ts, time));
  store(data + SUBSCRIPTION_PERIOD_START, (u64)period.start);
  store(data + SUBSCRIPTION_PULLED, period.pulled);
  Transfer transfer = {from, mint, to, authority, token_program, 10};
  TRY(transfer_as_delegate(call, &transfer, (i64)load(data + DELEGATION_INIT_ID)));

  Event event;
  begin_event(&event, EVENT_SUBSCRIPTION_TRANSFER);
  add_address(&event, &subscription->address);
  add_address(&event, &plan->address);
  add_address(&event, delegator);
  add_address(&event, &mint->address);
  add_number(&event, amount);
  add_number(&event, (u64)period.start);
  add_number(&event, (u64)end_of_pulled_period(&period, length, plan_end_ts));
  add_number(&event, period.pulled);
  add_address(&event, receiver);
  add_address(&event, &to->address);
  add_address(&event, &caller->address);
  return emit(call->account[8], call->account[9], &event);
}

#include "delegations.h"

/* ----------------------------------------------------------------------------------- entrypoint */

/*
 * Reads the accounts one after the other to find the instruction's data after them, because their
 * lengths are not known in advance.
 */
INLINE u8 *read_accounts(u8 *input, Call *call) {
  call->count = load(input);
  call->account = ACCOUNT_TABLE;
  u8 *at = input + 8;
  for (u64 i = 0; i < call->count; i++) {
    Account *account = (Account *)at;
    if (account->duplicate_of != 0xff) {
      call->account[i] = call->account[account->duplicate_of];
      at += 8;
      continue;
    }
    call->account[i] = account;
    u64 end = (u64)(account->data + account->data_len + ROOM_TO_GROW);
    at = (u8 *)((end + 7) & ~7ULL) + 8;
  }
  return at;
}

u64 entrypoint(u8 *input) {
  Call call;
  u8 *data = read_accounts(input, &call);
  u64 data_len = load(data);
  REQUIRE(data_len > 0, INVALID_INSTRUCTION);
  call.data = data + 9;
  call.data_len = data_len - 1;
  switch (data[8]) {
    case 0: return init_subscription_authority(&call);
    case 1: return create_fixed_delegation(&call);
    case 2: return create_recurring_delegation(&call);
    case 3: return revoke_delegation(&call);
    case 4: return transfer_fixed(&call);
    case 5: return transfer_recurring(&call);
    case 6: return close_subscription_authority(&call);
    case 7: return create_plan(&call);
    case 8: return update_plan(&call);
    case 9: return delete_plan(&call);
    case 10: return transfer_subscription(&call);
    case 11: return subscribe(&call);
    case 12: return cancel_subscription(&call);
    case 13: return resume_subscription(&call);
    case 14: return revoke_subscription_authority(&call);
    case 15: return revoke_abandoned_delegation(&call);
    case 16: return revoke_abandoned_subscription(&call);
    case 17: return cancel_subscription_now(&call);
    case EMIT_EVENT: return emit_event(&call);
    default: return INVALID_INSTRUCTION;
  }
}
