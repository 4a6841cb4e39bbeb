import { dirname, resolve } from "node:path";
import { parseYaml } from "@coxswain/apimachinery/yaml";

/** How a server is reached and what is shown to it, every file that a kubeconfig names already read. */
export interface ClientConfig {
  /** For example `https://127.0.0.1:6443/audit`. */
  readonly server: string;
  /** PEM. Undefined: the system's authorities. */
  readonly certificateAuthority?: string;
  /** The server's certificate is not checked. */
  readonly insecure: boolean;
  /** The name its certificate must have, where that is not the server's own. */
  readonly serverName?: string;
  readonly clientCertificate?: string;
  readonly clientKey?: string;
  readonly token?: string;
  readonly basic?: { readonly username: string; readonly password: string };
}

/**
 * Server, authority and credentials of a kubeconfig's current context. `file` is where it was found: paths in it begin there.
 * @throws when it names no context, or asks for what is not supported (exec plugins, proxies)
 */
export function readKubeconfig(
  text: string,
  { file, readFile }: { file: string; readFile: (path: string) => string },
): ClientConfig {
  const document = (parseYaml(text).value ?? {}) as Record<string, unknown>;
  const context = entryOf(document, "contexts", "context", stringOf(document, "current-context"), file);
  const cluster = entryOf(document, "clusters", "cluster", stringOf(context, "cluster"), file);
  const userName = stringOf(context, "user");
  const user = userName === "" ? {} : entryOf(document, "users", "user", userName, file);
  for (const member of ["exec", "auth-provider"])
    if (user[member] !== undefined)
      throw new Error(`${file}: user ${JSON.stringify(userName)} asks for ${member}, which is not supported`);
  if (stringOf(cluster, "proxy-url") !== "") throw new Error(`${file}: proxy-url is not supported`);
  const server = stringOf(cluster, "server");
  if (server === "") throw new Error(`${file}: the cluster of the current context has no server`);

  /** Data in the file itself comes before a file beside it. */
  const contentOf = (from: Readonly<Record<string, unknown>>, member: string): string | undefined => {
    const data = stringOf(from, `${member}-data`);
    if (data !== "") return Buffer.from(data, "base64").toString();
    const path = stringOf(from, member);
    return path === "" ? undefined : readFile(resolve(dirname(file), path));
  };
  const tokenFile = stringOf(user, "tokenFile");
  const token = stringOf(user, "token") || (tokenFile === "" ? "" : readFile(resolve(dirname(file), tokenFile)).trim());
  const username = stringOf(user, "username");
  const serverName = stringOf(cluster, "tls-server-name");
  return withoutUndefined({
    server,
    insecure: cluster["insecure-skip-tls-verify"] === true,
    certificateAuthority: contentOf(cluster, "certificate-authority"),
    serverName: serverName === "" ? undefined : serverName,
    clientCertificate: contentOf(user, "client-certificate"),
    clientKey: contentOf(user, "client-key"),
    token: token === "" ? undefined : token,
    basic: username === "" ? undefined : { username, password: stringOf(user, "password") },
  });
}

function entryOf(
  document: Readonly<Record<string, unknown>>,
  list: string,
  member: string,
  name: string,
  file: string,
): Readonly<Record<string, unknown>> {
  const entries = (Array.isArray(document[list]) ? document[list] : []) as readonly Readonly<Record<string, unknown>>[];
  const found = entries.find((entry) => entry.name === name)?.[member];
  if (typeof found !== "object" || found === null)
    throw new Error(
      name === "" ? `${file}: no current context is chosen` : `${file}: there is no ${member} ${JSON.stringify(name)}`,
    );
  return found as Readonly<Record<string, unknown>>;
}

const stringOf = (object: Readonly<Record<string, unknown>>, member: string): string =>
  typeof object[member] === "string" ? object[member] : "";

type Loose<T> = { readonly [K in keyof T]: T[K] | undefined };
const withoutUndefined = (members: Loose<Required<ClientConfig>>): ClientConfig =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as unknown as ClientConfig;
