-- The cluster that each environment's books were made on.
CREATE TABLE "Cluster" (
    "environment" "Environment" NOT NULL,
    "genesisHash" TEXT NOT NULL,
    CONSTRAINT "Cluster_pkey" PRIMARY KEY ("environment")
);
