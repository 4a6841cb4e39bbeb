import { readFileSync } from "node:fs";
import type { AggregationOptions, ApiServer } from "@coxswain/apiserver";
import type { ClusterCertificates } from "@coxswain/component/certificates";
import { defineFlags, FlagError, type OptionsOf } from "@coxswain/component/flags";
import type { WatchedFiles } from "@coxswain/component/serving";
import type { Logger } from "@coxswain/runtime/log";
import { followClientCredentials } from "./client-credentials.js";

/** How the server connects to API servers behind it. */
export const aggregationFlags = defineFlags({
  "proxy-client-cert-file": {
    group: "API",
    type: "string",
    value: "file",
    help: "The certificate by which aggregated API servers know this one. Default: one made in the data directory.",
  },
  "proxy-client-key-file": { group: "API", type: "string", value: "file", help: "The key of that certificate." },
  "aggregator-reject-forwarding-redirect": {
    group: "API",
    type: "boolean",
    default: true,
    help: "Answer 502 where an aggregated API server answers with a redirect.",
  },
});

export interface AggregationSetup {
  /** With the certificate of the data directory where no files are given. */
  read(
    own: Pick<ClusterCertificates, "frontProxyClient">,
  ): AggregationOptions & Required<Pick<AggregationOptions, "credentials">>;
  /** What is read. */
  readonly files: readonly string[];
}

export function aggregationFrom(options: OptionsOf<typeof aggregationFlags>): AggregationSetup {
  const {
    proxyClientCertFile: certificate,
    proxyClientKeyFile: key,
    aggregatorRejectForwardingRedirect: rejectsRedirects,
  } = options;
  if ((certificate === undefined) !== (key === undefined))
    throw new FlagError("--proxy-client-cert-file and --proxy-client-key-file are given together");
  return {
    files: [certificate, key].filter((file) => file !== undefined),
    read: ({ frontProxyClient }) => ({
      rejectsRedirects,
      credentials:
        certificate === undefined || key === undefined
          ? frontProxyClient
          : { certificate: readFileSync(certificate, "utf8"), key: readFileSync(key, "utf8") },
    }),
  };
}

export const followAggregation = (
  { files, read }: AggregationSetup,
  own: () => Pick<ClusterCertificates, "frontProxyClient">,
  server: Pick<ApiServer, "replaceProxyCredentials">,
  log: Pick<Logger, "info" | "warn">,
): WatchedFiles =>
  followClientCredentials(
    {
      files,
      read: () => read(own()).credentials,
      use: (credentials) => server.replaceProxyCredentials(credentials),
      whom: "aggregated API servers",
    },
    log,
  );
