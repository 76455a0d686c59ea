# One image for all programs of Resolute; the command chooses which one runs (docs/deployment.md).
# Debian, not Alpine: the native core of the Temporal SDK exists for glibc only.
ARG NODE_VERSION=20.20.2

# Everything that the build needs. Nothing of this stage but dist/ goes further.
FROM node:${NODE_VERSION}-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# Without install scripts: none is needed, so none of them gets to run.
RUN npm ci --include=dev --ignore-scripts --no-audit --no-fund
COPY . .
# The developers' programs are no part of a deployment.
RUN node local/bootstrap.mjs build \
  && rm -rf dist/local dist/bench dist/.build-stamp dist/.tsbuildinfo

# What the programs need at run time. Optional packages are the embedded PostgreSQL and the compiler
# with which the workflows were bundled in the stage above.
FROM node:${NODE_VERSION}-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund \
  && rm -rf node_modules/@temporalio/core-bridge/releases/*-apple-* \
    node_modules/@temporalio/core-bridge/releases/*-windows-*

FROM node:${NODE_VERSION}-bookworm-slim
LABEL org.opencontainers.image.title="resolute" \
  org.opencontainers.image.licenses="Apache-2.0"
ENV NODE_ENV=production
WORKDIR /app
COPY --from=packages /app/package.json ./
COPY --from=packages /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY deploy/health ./health
# The simulator's ledger. A new volume takes over the owner of the directory that it covers.
RUN install -d -o node -g node /var/lib/resolute-simulator
# All of the above belongs to root: the programs cannot change their own code.
USER node
CMD ["node", "dist/api/main.js"]
