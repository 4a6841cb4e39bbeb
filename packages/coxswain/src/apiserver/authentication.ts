import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { resolve } from "node:path";
import {
  type AccessExpressions,
  type ApiServer,
  type AuthenticationConfiguration,
  type AuthenticationOptions,
  anonymousForHealth,
  type Credentials,
  checkSameAnonymous,
  createReloadMetrics,
  type Listener,
  type RequestHeaderOptions,
  standardUserHeaders,
} from "@coxswain/apiserver";
import type { ClusterCertificates, ExpiryWatch } from "@coxswain/component/certificates";
import { readKubeconfig } from "@coxswain/component/kubeconfig";
import { type WatchedFiles, watchFiles } from "@coxswain/component/serving";
import type { Runtime } from "@coxswain/runtime";
import { systemClock } from "@coxswain/runtime/clock";
import type { Logger } from "@coxswain/runtime/log";
import { fingerprint, readCertificates } from "@coxswain/wire/x509";
import type { AuthenticationFlagOptions } from "./authentication-flags.js";
import { configurationFrom, jwtOptions, readConfigurationFile } from "./oidc.js";
import { checkSigningEndpoint, connectSigningEndpoint, type SigningEndpoint } from "./signing-endpoint.js";
import { certificateUses, readAuthorities } from "./tls-files.js";

/** The settings of the flags, once the files that they name can be read. */
export interface AuthenticationSetup {
  /** Files whose authorities are followed as long as the server runs. */
  readonly followed: readonly string[];
  /** Reads the AuthenticationConfiguration again whenever its file has changed. */
  follow(server: ApiServer, log: Logger): WatchedFiles;
  /** Asks the external signer of service account tokens, where this server does not sign them. */
  connectSigner(runtime: Runtime): Promise<SigningEndpoint>;
  /** `clientCa` is PEM, of all authorities of clients. @throws when files and flags do not fit together */
  read(certificates: ClusterCertificates, clientCa: string): AuthenticationOptions;
}

const readText = (path: string): string => readFileSync(path, "utf8");
const hourMs = 3_600_000;

/** `given`: the names of the flags that were given. @throws when flags do not fit together */
export function authenticationFrom(
  options: AuthenticationFlagOptions,
  given: ReadonlySet<string>,
  authorizationModes: readonly string[],
  expressions?: AccessExpressions,
): AuthenticationSetup {
  checkServiceAccounts(options);
  checkSigningEndpoint(options);
  checkHeaders(options);
  const configuration = configurationFrom(options, given, expressions);
  const { requestheaderClientCaFile: proxyFile, tokenAuthFile } = options;
  return {
    followed: proxyFile === undefined ? [] : [proxyFile],
    connectSigner: (runtime) => connectSigningEndpoint(options, runtime),
    follow: (server, log) => followConfiguration(options, { first: configuration, expressions, server, log }),
    read: (certificates, clientCa) => ({
      clientCa,
      requestHeader: requestHeaderOf(options, certificates, clientCa),
      ...(tokenAuthFile === undefined ? {} : { tokenFile: readText(tokenAuthFile) }),
      serviceAccount: serviceAccountOf(options, certificates),
      ...(options.apiAudiences.length === 0 ? {} : { audiences: options.apiAudiences }),
      bootstrapTokens: options.enableBootstrapTokenAuth,
      ...jwtOptions(configuration),
      ...webhookOf(options),
      ...(configuration.anonymous
        ? { anonymous: configuration.anonymous }
        : anonymousOf(options, given, authorizationModes)),
    }),
  };
}

function checkServiceAccounts({
  serviceAccountIssuer: issuers,
  serviceAccountJwksUri: uri,
  serviceAccountMaxTokenExpiration: most,
}: AuthenticationFlagOptions): void {
  if (issuers.includes("")) throw new Error("service-account-issuer should not be an empty string");
  const twice = issuers.find((issuer, at) => issuers.indexOf(issuer) < at);
  if (twice !== undefined) throw new Error(`service-account-issuer ${JSON.stringify(twice)} is already specified`);
  for (const issuer of issuers)
    if (issuer.includes(":") && !URL.canParse(issuer))
      throw new Error(`service-account-issuer ${JSON.stringify(issuer)} contained a ':' but was not a valid URL`);
  if (uri !== undefined && !URL.canParse(uri)) throw new Error(`service-account-jwks-uri must be a valid URL: ${uri}`);
  if (uri !== undefined && new URL(uri).protocol !== "https:")
    throw new Error(`service-account-jwks-uri requires https scheme, parsed as: ${uri}`);
  if (most !== 0 && (most < hourMs || most > 2 ** 32 * 1000))
    throw new Error("the service-account-max-token-expiration must be between 1 hour and 2^32 seconds");
}

function serviceAccountOf(
  options: AuthenticationFlagOptions,
  certificates: ClusterCertificates,
): NonNullable<AuthenticationOptions["serviceAccount"]> {
  const {
    serviceAccountSigningKeyFile: signing,
    serviceAccountMaxTokenExpiration: most,
    serviceAccountJwksUri: uri,
  } = options;
  return {
    signingKey: signing === undefined ? certificates.serviceAccount.privateKey : readText(signing),
    keys: options.serviceAccountKeyFile.map(readText),
    issuers: options.serviceAccountIssuer,
    lookup: options.serviceAccountLookup,
    extendExpiration: options.serviceAccountExtendTokenExpiration,
    ...(most === 0 ? {} : { maxExpirationSeconds: Math.floor(most / 1000) }),
    ...(uri === undefined ? {} : { jwksUri: uri }),
  };
}

function checkHeaders(options: AuthenticationFlagOptions): void {
  const lists = [
    ["requestheader-username-headers", options.requestheaderUsernameHeaders],
    ["requestheader-group-headers", options.requestheaderGroupHeaders],
    ["requestheader-extra-headers-prefix", options.requestheaderExtraHeadersPrefix],
    ["requestheader-allowed-names", options.requestheaderAllowedNames],
    ["requestheader-uid-headers", options.requestheaderUidHeaders],
  ] as const;
  for (const [flag, values] of lists)
    if (values.some((value) => value.trim() === "")) throw new Error(`empty value in ${JSON.stringify(flag)}`);
  const uids = options.requestheaderUidHeaders;
  if (uids.length > 0 && !uids.some((name) => name.toLowerCase() === "x-remote-uid"))
    throw new Error(
      "--requestheader-uid-headers is set without specifying the standard X-Remote-Uid header - API aggregation will not work",
    );
}

/** Without a file of its own, the authority of the data directory signs the one proxy that may stand in front. */
function requestHeaderOf(
  options: AuthenticationFlagOptions,
  certificates: ClusterCertificates,
  clientCa: string,
): RequestHeaderOptions {
  const { requestheaderClientCaFile: file } = options;
  if (file === undefined)
    return {
      ...standardUserHeaders,
      authority: certificates.frontProxyCa.certificate,
      allowedNames: ["front-proxy-client"],
    };
  const authority = readAuthorities(file, "request-header");
  if (options.requestheaderAllowedNames.length === 0 && overlap(authority, clientCa)) {
    throw new Error(
      "--requestheader-client-ca-file and --client-ca-file contain overlapping certificates; --requestheader-allowed-names must be specified to ensure regular client certificates cannot set authenticating proxy headers for arbitrary users",
    );
  }
  return {
    authority,
    allowedNames: options.requestheaderAllowedNames,
    username: options.requestheaderUsernameHeaders.map((name) => name.trim()),
    uid: options.requestheaderUidHeaders.map((name) => name.trim()),
    group: options.requestheaderGroupHeaders.map((name) => name.trim()),
    extraPrefix: options.requestheaderExtraHeadersPrefix.map((name) => name.trim()),
  };
}

function overlap(a: string, b: string): boolean {
  const known = new Set(readCertificates(b).map(fingerprint));
  return readCertificates(a).some((certificate) => known.has(fingerprint(certificate)));
}

function webhookOf(options: AuthenticationFlagOptions): Pick<AuthenticationOptions, "webhook"> {
  const { authenticationTokenWebhookConfigFile: file } = options;
  if (file === undefined) return {};
  return {
    webhook: {
      connection: readKubeconfig(readText(file), { file, readFile: readText }),
      version: options.authenticationTokenWebhookVersion as "v1" | "v1beta1",
      cacheMs: options.authenticationTokenWebhookCacheTtl,
    },
  };
}

interface Followed {
  readonly first: AuthenticationConfiguration;
  readonly expressions: AccessExpressions | undefined;
  readonly server: ApiServer;
  readonly log: Logger;
}

/** A file that cannot be used, or an issuer that cannot be asked, leaves everything as it was. */
function followConfiguration(
  { authenticationConfig: file, serviceAccountIssuer }: AuthenticationFlagOptions,
  { first, expressions, server, log }: Followed,
): WatchedFiles {
  if (file === undefined) return { stop: () => {} };
  const metrics = createReloadMetrics("authentication", {
    metrics: server.metrics,
    hostname: hostname(),
    clock: systemClock,
  });
  metrics.read(readText(file));
  return watchFiles([resolve(file)], () => {
    const replace = async (): Promise<void> => {
      const text = readText(file);
      const configuration = readConfigurationFile(file, serviceAccountIssuer, expressions);
      checkSameAnonymous(first, configuration);
      await server.replaceIssuers(configuration.issuers);
      metrics.reloaded(text);
      log.info("authentication configuration read again", { path: file });
    };
    replace().catch((error: unknown) => {
      metrics.failed();
      log.error("the authentication configuration stays as it was", { path: file, error });
    });
  });
}

/** What machines read before they know whom to trust; whether they may, RBAC decides. */
const clusterInfoPath = "/api/v1/namespaces/kube-public/configmaps/cluster-info";

/** Where everybody may do everything, nobody is anonymous: upstream's rule. */
function anonymousOf(
  { anonymousAuth, enableBootstrapTokenAuth }: AuthenticationFlagOptions,
  given: ReadonlySet<string>,
  modes: readonly string[],
): Pick<AuthenticationOptions, "anonymous"> {
  if (!given.has("anonymous-auth"))
    return enableBootstrapTokenAuth
      ? { anonymous: { ...anonymousForHealth, paths: [...anonymousForHealth.paths, clusterInfoPath] } }
      : {};
  return { anonymous: { enabled: anonymousAuth && !modes.includes("AlwaysAllow"), paths: [] } };
}

/** TLS asks for certificates of clients and of proxies alike; whose one is, authentication finds out. */
export const forListener = (credentials: Credentials, { requestHeader }: AuthenticationOptions): Credentials => ({
  ...credentials,
  clientAuthority: `${credentials.clientAuthority.trimEnd()}\n${requestHeader?.authority ?? ""}`,
});

/** New authorities count at once, also for connections that are open. */
export function followAuthorities(
  credentials: Credentials,
  authentication: AuthenticationOptions,
  { listener, server, expiry }: { listener: Listener; server: ApiServer; expiry: ExpiryWatch },
): void {
  listener.setCredentials(forListener(credentials, authentication));
  expiry.set(certificateUses(credentials, authentication.requestHeader?.authority));
  server.setAuthorities({
    clientCa: credentials.clientAuthority,
    ...(authentication.requestHeader ? { requestHeader: authentication.requestHeader.authority } : {}),
  });
}
