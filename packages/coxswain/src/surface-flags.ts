import { defineFlags, FlagError, type OptionsOf } from "@coxswain/component/flags";
import { openSslCiphers, readNamedFiles, tlsVersions } from "@coxswain/component/serving";
import type { ShutdownOptions } from "./shut-down.js";
import type { TlsFiles } from "./tls-files.js";

/** How the server listens, what it limits, shows and logs. */
export const surfaceFlags = defineFlags({
  config: {
    group: "Server",
    type: "string",
    value: "file",
    help: "A YAML file with flags as members, by their names. What stands on the command line comes first.",
  },
  "more-bind-addresses": {
    group: "Server",
    type: "strings",
    value: "address,…",
    help: "Further addresses to listen on, on the same port, such as ::1.",
  },
  "external-hostname": {
    group: "Server",
    type: "string",
    value: "host",
    help: "The name that discovery tells clients to use. Default: the address to listen on.",
  },
  "tls-cert-file": {
    group: "TLS",
    type: "string",
    value: "file",
    help: "The server's certificate, with those of intermediate authorities behind it. A new one is taken while the server runs. Default: one made in the data directory.",
  },
  "tls-private-key-file": { group: "TLS", type: "string", value: "file", help: "The key of that certificate." },
  "client-ca-file": {
    group: "TLS",
    type: "string",
    value: "file",
    help: "Client certificates of these authorities are who they say. A new file is taken while the server runs. Default: the authority in the data directory.",
  },
  "tls-sni-cert-key": {
    group: "TLS",
    type: "strings",
    whole: true,
    value: "cert,key[:name,…]",
    help: "A certificate for clients that ask for one of these names (*.example.com covers one label). May be repeated. Default names: those in the certificate.",
  },
  "tls-min-version": {
    group: "TLS",
    type: "string",
    choices: [...tlsVersions.keys()],
    help: "The oldest TLS that is spoken. Default: VersionTLS12.",
  },
  "tls-cipher-suites": {
    group: "TLS",
    type: "strings",
    value: "name,…",
    help: "Cipher suites for TLS 1.2, by Go's names. Default: Node's.",
  },
  "http2-max-streams-per-connection": {
    group: "Limits",
    type: "integer",
    default: 0,
    min: 0,
    value: "count",
    help: "Requests at once on one connection of HTTP/2. 0: 100.",
  },
  "enable-priority-and-fairness": {
    group: "Limits",
    type: "boolean",
    default: true,
    help: "Share the server's seats by FlowSchemas and PriorityLevelConfigurations: requests wait in queues for their turn, and one user's flood slows nobody else.",
  },
  "max-requests-inflight": {
    group: "Limits",
    type: "integer",
    default: 400,
    min: 0,
    value: "count",
    help: "With --max-mutating-requests-inflight the server's seats. Without priority and fairness: requests that only read, at once; more are answered with 429; watches do not count; 0 is no limit.",
  },
  "max-mutating-requests-inflight": {
    group: "Limits",
    type: "integer",
    default: 200,
    min: 0,
    value: "count",
    help: "The same for requests that write.",
  },
  "goaway-chance": {
    group: "Limits",
    type: "number",
    default: 0,
    min: 0,
    max: 0.02,
    value: "chance",
    help: "How likely a request is to be the last on its HTTP/2 connection, so that clients spread over several servers again.",
  },
  "strict-transport-security-directives": {
    group: "Server",
    type: "strings",
    value: "directive,…",
    help: "For the Strict-Transport-Security header, such as max-age=31536000,includeSubDomains. Default: no such header.",
  },
  "cors-allowed-origins": {
    group: "Server",
    type: "strings",
    value: "pattern,…",
    help: "Origins whose scripts may use the API from a browser: regular expressions, each beginning with ^ or // and ending with $ or :[0-9]+ or so.",
  },
  profiling: {
    group: "Server",
    type: "boolean",
    default: true,
    help: "Serve /debug/pprof/ and /debug/flags/v to those who may see them.",
  },
  "enable-logs-handler": {
    group: "Server",
    type: "boolean",
    help: "Serve /var/log at /logs/ to those who may see it.",
  },
  "livez-grace-period": {
    group: "Server",
    type: "duration",
    default: "0s",
    help: "How long a server that is still starting counts as alive.",
  },
  "shutdown-delay-duration": {
    group: "Shutdown",
    type: "duration",
    default: "0s",
    help: "How long to go on serving after a signal, while /readyz already says no.",
  },
  "shutdown-send-retry-after": {
    group: "Shutdown",
    type: "boolean",
    help: "While the last requests are answered, answer new ones with 429 and Retry-After instead of closing the port.",
  },
  "shutdown-watch-termination-grace-period": {
    group: "Shutdown",
    type: "duration",
    default: "0s",
    help: "Over how long watches are ended, one after the other.",
  },
  v: {
    group: "Log",
    type: "integer",
    min: 0,
    short: "v",
    value: "number",
    help: "How much to log, by Kubernetes' numbers: up to 2 as info, from 3 debug (a line for each request), from 6 trace. Wins over --log-level.",
  },
});

type SurfaceFlagOptions = OptionsOf<typeof surfaceFlags>;

export interface SurfaceRunOptions {
  readonly moreBindAddresses: readonly string[];
  readonly externalHostname: string | undefined;
  readonly tls: TlsFiles;
  readonly listening: {
    readonly minVersion?: "TLSv1.2" | "TLSv1.3";
    readonly ciphers?: string;
    readonly maxStreams?: number;
  };
  readonly limits: {
    readonly priorityAndFairness: boolean;
    readonly maxRequestsInFlight: number;
    readonly maxMutatingRequestsInFlight: number;
    readonly goawayChance: number;
    readonly livezGraceMs: number;
  };
  readonly strictTransportDirectives: readonly string[];
  readonly allowedOrigins: readonly string[];
  readonly profiling: boolean;
  readonly logDirectory: string | undefined;
  readonly shutdown: ShutdownOptions;
}

/** @throws FlagError */
export function surfaceFrom(options: SurfaceFlagOptions): SurfaceRunOptions {
  if ((options.tlsCertFile === undefined) !== (options.tlsPrivateKeyFile === undefined))
    throw new FlagError("--tls-cert-file and --tls-private-key-file go together");
  if (options.enablePriorityAndFairness && options.maxRequestsInflight + options.maxMutatingRequestsInflight === 0)
    throw new FlagError(
      "priority and fairness needs seats: --max-requests-inflight and --max-mutating-requests-inflight may not both be 0",
    );
  const minVersion = options.tlsMinVersion === undefined ? undefined : tlsVersions.get(options.tlsMinVersion);
  return {
    moreBindAddresses: options.moreBindAddresses,
    externalHostname: options.externalHostname,
    tls: {
      certificateFile: options.tlsCertFile,
      keyFile: options.tlsPrivateKeyFile,
      clientAuthorityFile: options.clientCaFile,
      named: options.tlsSniCertKey.map((text) => {
        const files = readNamedFiles(text);
        if (!files)
          throw new FlagError(`--tls-sni-cert-key must be cert,key or cert,key:name,…, not ${JSON.stringify(text)}`);
        return files;
      }),
    },
    listening: {
      ...(minVersion === undefined ? {} : { minVersion }),
      ...(options.tlsCipherSuites.length === 0 ? {} : { ciphers: openSslCiphers(options.tlsCipherSuites) }),
      ...(options.http2MaxStreamsPerConnection === 0 ? {} : { maxStreams: options.http2MaxStreamsPerConnection }),
    },
    limits: {
      priorityAndFairness: options.enablePriorityAndFairness,
      maxRequestsInFlight: options.maxRequestsInflight,
      maxMutatingRequestsInFlight: options.maxMutatingRequestsInflight,
      goawayChance: options.goawayChance,
      livezGraceMs: options.livezGracePeriod,
    },
    strictTransportDirectives: options.strictTransportSecurityDirectives,
    allowedOrigins: checkOrigins(options.corsAllowedOrigins),
    profiling: options.profiling,
    logDirectory: options.enableLogsHandler ? "/var/log" : undefined,
    shutdown: {
      delayMs: options.shutdownDelayDuration,
      sendRetryAfter: options.shutdownSendRetryAfter,
      watchGraceMs: options.shutdownWatchTerminationGracePeriod,
    },
  };
}

/** A pattern that matches in the middle of a name lets in more than its author thinks: upstream refuses those too. */
function checkOrigins(patterns: readonly string[]): readonly string[] {
  const open = patterns.find((pattern) => !/^(?:\^|\/\/|\(\?i\))/.test(pattern) || !/(?:\$|:\S+)$/.test(pattern));
  if (open !== undefined)
    throw new FlagError(
      `--cors-allowed-origins must pin the start of a host with ^ or // and its end with $ or a port: ${JSON.stringify(open)} does not`,
    );
  return patterns;
}
