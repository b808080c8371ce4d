-- Who may sign in to a merchant's dashboard.
CREATE TYPE "MemberRole" AS ENUM ('OWNER', 'DEVELOPER', 'READ_ONLY');

CREATE TABLE "Member" (
    "id" UUID NOT NULL,
    "merchantId" UUID NOT NULL,
    "walletAddress" TEXT NOT NULL,
    "role" "MemberRole" NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Member_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "Member_merchantId_walletAddress_key" ON "Member"("merchantId", "walletAddress");
CREATE INDEX "Member_walletAddress_idx" ON "Member"("walletAddress");
ALTER TABLE "Member" ADD CONSTRAINT "Member_merchantId_fkey" FOREIGN KEY ("merchantId") REFERENCES "Merchant"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- The merchants that there are: each is owned by its wallet.
INSERT INTO "Member" ("id", "merchantId", "walletAddress", "role", "createdAt")
SELECT gen_random_uuid(), "id", "walletAddress", 'OWNER', "createdAt" FROM "Merchant";

CREATE TABLE "SignInNonce" (
    "nonce" TEXT NOT NULL,
    "fields" JSONB NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "SignInNonce_pkey" PRIMARY KEY ("nonce")
);
CREATE INDEX "SignInNonce_expiresAt_idx" ON "SignInNonce"("expiresAt");

CREATE TABLE "MemberSession" (
    "id" UUID NOT NULL,
    "memberId" UUID NOT NULL,
    "hash" BYTEA NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "idleUntil" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "MemberSession_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "MemberSession_hash_key" ON "MemberSession"("hash");
CREATE INDEX "MemberSession_memberId_idx" ON "MemberSession"("memberId");
CREATE INDEX "MemberSession_expiresAt_idx" ON "MemberSession"("expiresAt");
ALTER TABLE "MemberSession" ADD CONSTRAINT "MemberSession_memberId_fkey" FOREIGN KEY ("memberId") REFERENCES "Member"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Who changed what.
CREATE TYPE "AuditActor" AS ENUM ('API_KEY', 'MEMBER', 'OPERATOR');

CREATE TABLE "AuditEntry" (
    "id" UUID NOT NULL,
    "merchantId" UUID NOT NULL,
    "environment" "Environment",
    "action" TEXT NOT NULL,
    "targetId" TEXT NOT NULL,
    "changes" JSONB NOT NULL,
    "actor" "AuditActor" NOT NULL,
    "actorId" UUID,
    "actorName" TEXT,
    "ipAddress" TEXT,
    "userAgent" TEXT,
    "requestId" UUID,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "AuditEntry_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "AuditEntry_merchantId_createdAt_id_idx" ON "AuditEntry"("merchantId", "createdAt", "id");
ALTER TABLE "AuditEntry" ADD CONSTRAINT "AuditEntry_merchantId_fkey" FOREIGN KEY ("merchantId") REFERENCES "Merchant"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What Prisma's schema cannot word.

-- A key and a member are known by their ids, and only they have one.
ALTER TABLE "AuditEntry" ADD CONSTRAINT "AuditEntry_actor_known" CHECK (("actor" = 'OPERATOR') = ("actorId" IS NULL));

-- What is written down stays as it is.
CREATE FUNCTION "audit_is_kept"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'AuditEntry_is_kept: entries are neither changed nor deleted';
END $$;
CREATE TRIGGER "AuditEntry_is_kept" BEFORE UPDATE OR DELETE ON "AuditEntry" FOR EACH ROW EXECUTE FUNCTION "audit_is_kept"();
