-- The issuer of a Token-2022 mint may begin to keep a part of each transfer.
ALTER TYPE "PlanProblem" ADD VALUE 'MINT_TAKES_FEE';
