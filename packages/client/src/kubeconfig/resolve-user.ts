import { getOwn } from "@coxswain/apimachinery/own";
import { decodeBase64 } from "./base64-text.js";
import type { ClientConfig, ExecConfig, OidcConfig } from "./client-config.js";
import type { KubeconfigCluster, KubeconfigExec, KubeconfigUser } from "./kubeconfig.js";
import { pemOf, type Refuse, type ResolvePath } from "./pem-field.js";

interface UserScope {
  readonly name: string;
  readonly file: string | undefined;
  readonly refuse: Refuse;
  readonly resolvePath: ResolvePath;
  /** Of the cluster; one of them is meant for exec plugins. */
  readonly extensions: KubeconfigCluster["extensions"];
}

/** Who the user of a kubeconfig is. */
export function resolveUser(user: KubeconfigUser, scope: UserScope): Partial<ClientConfig> {
  const { refuse, resolvePath, file } = scope;
  if (user.token && (user.username || user.password))
    return refuse("token", "it cannot be set together with username and password");
  const exec = user.exec ? resolveExec(user.exec, scope) : undefined;
  if (exec && user["auth-provider"]) return refuse("auth-provider", "it cannot be set together with exec");
  return {
    ...certificateOf(user, scope),
    ...(user.token && { token: user.token }),
    ...(user.tokenFile && { tokenFile: resolvePath(user.tokenFile, file) }),
    ...((user.username || user.password) && {
      basic: { username: user.username ?? "", password: user.password ?? "" },
    }),
    ...(exec && { exec }),
    ...(user["auth-provider"] && { oidc: resolveProvider(user["auth-provider"], scope) }),
    ...impersonationOf(user, refuse),
  };
}

function certificateOf(user: KubeconfigUser, scope: UserScope): Pick<ClientConfig, "clientCertificate"> {
  const cert = pemOf(user, "client-certificate", scope);
  const key = pemOf(user, "client-key", scope);
  if (cert === undefined) return {};
  if (key === undefined)
    return scope.refuse("client-key-data", "it or client-key must be set together with a client certificate");
  return { clientCertificate: { cert, key } };
}

function impersonationOf(user: KubeconfigUser, refuse: Refuse): Pick<ClientConfig, "impersonate"> {
  const { as, "as-uid": uid, "as-groups": groups, "as-user-extra": extra } = user;
  if (!as) {
    if (uid || groups?.length || Object.keys(extra ?? {}).length > 0)
      return refuse("as", "it must be set together with as-uid, as-groups and as-user-extra");
    return {};
  }
  return { impersonate: { user: as, ...(uid && { uid }), ...(groups && { groups }), ...(extra && { extra }) } };
}

const execVersions = ["client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1"] as const;
/** The extension of a cluster that is meant for exec plugins. */
const execExtension = "client.authentication.k8s.io/exec";

function resolveExec(exec: KubeconfigExec, { refuse, resolvePath, file, extensions }: UserScope): ExecConfig {
  const apiVersion = execVersions.find((version) => version === exec.apiVersion);
  if (apiVersion === undefined)
    return refuse(
      "exec.apiVersion",
      exec.apiVersion
        ? `${JSON.stringify(exec.apiVersion)} is not supported: it must be ${execVersions.join(" or ")}`
        : `it is missing: it must be ${execVersions.join(" or ")}`,
    );
  if (!exec.command) return refuse("exec.command", "it is missing");
  // Only v1 demands a choice.
  const mode = exec.interactiveMode || (apiVersion === execVersions[1] ? "IfAvailable" : "");
  if (mode !== "Never" && mode !== "IfAvailable" && mode !== "Always")
    return refuse("exec.interactiveMode", `it must be Never, IfAvailable or Always, not ${JSON.stringify(mode)}`);
  if (exec.env?.some(({ name }) => !name)) return refuse("exec.env", "a variable has no name");
  const clusterConfig = extensions?.find(({ name }) => name === execExtension)?.extension;
  return {
    apiVersion,
    // A bare name is looked for in PATH.
    command: /[/\\]/.test(exec.command) ? resolvePath(exec.command, file) : exec.command,
    ...(exec.args && { args: exec.args }),
    ...(exec.env && { env: Object.fromEntries(exec.env.map(({ name, value }) => [name, value])) }),
    ...(exec.installHint && { installHint: exec.installHint }),
    ...(exec.provideClusterInfo && { provideClusterInfo: true }),
    ...(clusterConfig !== undefined && { clusterConfig }),
    interactiveMode: mode,
  };
}

function resolveProvider(
  { name, config }: NonNullable<KubeconfigUser["auth-provider"]>,
  { refuse, resolvePath, file, name: user }: UserScope,
): OidcConfig {
  if (name !== "oidc")
    return refuse(
      "auth-provider.name",
      `the provider ${JSON.stringify(name)} is not built in (Kubernetes has removed all but oidc); use an exec plugin`,
    );
  const read = (key: string): string | undefined => getOwn(config, key) || undefined;
  const need = (key: string): string => read(key) ?? refuse(`auth-provider.config.${key}`, "it is missing");
  const encoded = read("idp-certificate-authority-data");
  const authority = encoded === undefined ? undefined : decodeBase64(encoded);
  if (encoded !== undefined && authority === undefined)
    return refuse("auth-provider.config.idp-certificate-authority-data", "it is no base64");
  const path = read("idp-certificate-authority");
  const secret = read("client-secret");
  const idToken = read("id-token");
  const refreshToken = read("refresh-token");
  return {
    issuerUrl: need("idp-issuer-url"),
    clientId: need("client-id"),
    ...(secret && { clientSecret: secret }),
    ...(idToken && { idToken }),
    ...(refreshToken && { refreshToken }),
    ...(authority !== undefined
      ? { issuerAuthority: { data: authority } }
      : path && { issuerAuthority: { file: resolvePath(path, file) } }),
    ...(file !== undefined && { kubeconfig: { file, user } }),
  };
}
