# The packages are installed where npm may write; the image that runs has neither its cache nor a way to change them.
FROM node:20-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev

FROM packages AS compiled
RUN npm ci --include=dev
COPY scripts scripts
COPY src src
COPY workers workers
RUN node scripts/build.js

FROM node:20-slim
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
COPY --from=packages /app/node_modules node_modules
COPY --from=compiled /app/dist dist
COPY package.json ./
COPY bin bin
COPY sql sql
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 \
	CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 8080}/health/ready`).then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Not through npm: SIGTERM reaches the service itself.
CMD ["node", "--max-semi-space-size=64", "--heap-growing-percent=150", "dist/src/main.js"]
