# A hub in a container. Build it in a clone: docker build -t parley .
FROM node:22-bookworm-slim AS build
WORKDIR /build
COPY . .
RUN npm ci --no-audit --no-fund && npm pack --pack-destination /build

FROM node:22-bookworm-slim
COPY --from=build /build/parley-inbox-*.tgz /tmp/
RUN npm install -g --no-audit --no-fund /tmp/parley-inbox-*.tgz && rm /tmp/parley-inbox-*.tgz \
  && mkdir /var/lib/parley && chown node /var/lib/parley
USER node
ENV PARLEY_HOME=/var/lib/parley
EXPOSE 4780
# On SIGTERM it serves on for five seconds and ends within fifteen more: docker stop -t 25.
STOPSIGNAL SIGTERM
ENTRYPOINT ["parley", "hub"]
# Plain HTTP: whatever stands before it has the certificate.
CMD ["--listen", "0.0.0.0:4780", "--plain-http"]
