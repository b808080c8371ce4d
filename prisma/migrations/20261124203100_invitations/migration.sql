-- Wallets that the operator allows to create a merchant.
CREATE TABLE "Invitation" (
    "walletAddress" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Invitation_pkey" PRIMARY KEY ("walletAddress")
);
