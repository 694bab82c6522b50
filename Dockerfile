# Houston as one static binary, run by a user without a name, with nothing
# around it but the certificates that it needs to reach Slack. It keeps its
# SQLite file, where there is one, in /data.
FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG VERSION
ARG COMMIT
RUN .ci/build /out/houston
RUN mkdir /empty

FROM scratch
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build --chown=65532:65532 /empty /data
COPY --from=build --chown=65532:65532 /empty /tmp
COPY --from=build /out/houston /houston
USER 65532:65532
WORKDIR /data
VOLUME /data
EXPOSE 8080
ENTRYPOINT ["/houston"]
CMD ["serve"]
