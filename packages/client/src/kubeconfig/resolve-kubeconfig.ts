import type { ClientConfig } from "./client-config.js";
import type { KubeconfigCluster, KubeconfigContext } from "./kubeconfig.js";
import { KubeconfigError, type KubeconfigPlace } from "./kubeconfig-error.js";
import type { Located, MergedKubeconfig } from "./merge-kubeconfigs.js";
import { pemOf, type Refuse, type ResolvePath } from "./pem-field.js";
import { resolveUser } from "./resolve-user.js";

/** What a user may choose otherwise than the files do: kubectl's flags of these names. */
export interface KubeconfigChoice {
  /** @default the current context */
  readonly context?: string | undefined;
  /** @default the context's */
  readonly cluster?: string | undefined;
  /** @default the context's */
  readonly user?: string | undefined;
  /** @default the context's, else "default" */
  readonly namespace?: string | undefined;
}

/** The server and user of the chosen context. @throws KubeconfigError that names file, context and field */
export function resolveKubeconfig(
  merged: MergedKubeconfig,
  choice: KubeconfigChoice,
  resolvePath: ResolvePath,
): ClientConfig {
  const { name, context, file } = chosenContext(merged, choice);
  const place: KubeconfigPlace = { file, context: name };
  const clusterName = choice.cluster ?? context.cluster ?? "";
  const userName = choice.user ?? context.user ?? "";
  const at = (prefix: string) => `${prefix}[${JSON.stringify(name ?? "")}].context`;
  if (clusterName === "")
    throw new KubeconfigError("it names no cluster", { ...place, field: `${at("contexts")}.cluster` });
  const cluster = merged.clusters.get(clusterName);
  if (cluster === undefined)
    throw new KubeconfigError(`there is no cluster ${JSON.stringify(clusterName)}`, {
      ...place,
      field: `${at("contexts")}.cluster`,
    });
  const user = merged.users.get(userName);
  // A context without a user is anonymous; one whose user is missing is a mistake.
  if (userName !== "" && user === undefined)
    throw new KubeconfigError(`there is no user ${JSON.stringify(userName)}`, {
      ...place,
      field: `${at("contexts")}.user`,
    });
  const namespace = choice.namespace ?? (context.namespace || "default");
  const config = resolveCluster(clusterName, cluster, { context: name, resolvePath });
  const refuse: Refuse = (field, problem) => {
    throw new KubeconfigError(problem, {
      file: user?.file,
      context: name,
      field: `users[${JSON.stringify(userName)}].user.${field}`,
    });
  };
  const identity =
    user === undefined
      ? {}
      : resolveUser(user.entry, {
          name: userName,
          file: user.file,
          refuse,
          resolvePath,
          extensions: cluster.entry.extensions,
        });
  // Credentials do not go over an open line; client-go ignores them there, too.
  return { ...config, namespace, ...(config.server.startsWith("http://") ? {} : identity) };
}

function chosenContext(
  merged: MergedKubeconfig,
  choice: KubeconfigChoice,
): { name: string | undefined; context: KubeconfigContext; file: string | undefined } {
  const name = choice.context ?? merged.currentContext?.entry;
  const file = choice.context === undefined ? merged.currentContext?.file : merged.files[0];
  const known = [...merged.contexts.keys()].map((one) => JSON.stringify(one)).join(", ") || "none";
  if (name === undefined) {
    if (choice.cluster !== undefined) return { name, context: {}, file: merged.files[0] };
    throw new KubeconfigError(`no context is chosen; there are: ${known}`, {
      file: merged.files[0],
      field: "current-context",
    });
  }
  const found = merged.contexts.get(name);
  if (found === undefined)
    throw new KubeconfigError(`there is no such context; there are: ${known}`, {
      file,
      context: name,
      ...(choice.context === undefined && { field: "current-context" }),
    });
  return { name, context: found.entry, file: found.file };
}

function resolveCluster(
  name: string,
  { entry, file }: Located<KubeconfigCluster>,
  { context, resolvePath }: { context: string | undefined; resolvePath: ResolvePath },
): ClientConfig {
  const refuse: Refuse = (field, problem) => {
    throw new KubeconfigError(problem, { file, context, field: `clusters[${JSON.stringify(name)}].cluster.${field}` });
  };
  if (!entry.server) return refuse("server", "it is missing");
  if (!isServer(entry.server))
    return refuse("server", `${JSON.stringify(entry.server)} is no address: write https://host:port`);
  const proxyUrl = entry["proxy-url"];
  if (proxyUrl && !isProxy(proxyUrl))
    return refuse("proxy-url", `${JSON.stringify(proxyUrl)} is no URL with the scheme http, https or socks5`);
  const certificateAuthority = pemOf(entry, "certificate-authority", { file, refuse, resolvePath });
  if (certificateAuthority && entry["insecure-skip-tls-verify"])
    return refuse("insecure-skip-tls-verify", "it cannot be set together with a certificate authority");
  return {
    server: withoutQuery(entry.server),
    ...(certificateAuthority && { certificateAuthority }),
    ...(entry["tls-server-name"] && { tlsServerName: entry["tls-server-name"] }),
    ...(entry["insecure-skip-tls-verify"] && { insecureSkipTlsVerify: true }),
    ...(proxyUrl && { proxyUrl }),
    ...(entry["disable-compression"] && { disableCompression: true }),
  };
}

function isServer(server: string): boolean {
  try {
    const { protocol, hostname } = new URL(/^[a-z][a-z0-9+.-]*:\/\//i.test(server) ? server : `http://${server}`);
    return (protocol === "https:" || protocol === "http:") && hostname !== "";
  } catch {
    return false;
  }
}

/** A scheme alone decides; the host is tried when it is needed. */
const isProxy = (url: string): boolean => /^(https?|socks5):\/\/[^/]/i.test(url) && URL.canParse(url);

const withoutQuery = (server: string): string => server.split(/[?#]/, 1)[0] as string;
