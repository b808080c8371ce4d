-- The name of a member, and the origin of a member session, for lists of both.
ALTER TABLE "Member" ADD COLUMN "name" TEXT;
ALTER TABLE "MemberSession" ADD COLUMN "ipAddress" TEXT, ADD COLUMN "userAgent" TEXT;
