import { parseYaml } from "@coxswain/apimachinery/yaml";

/** Where somebody else is asked, and as whom. */
export interface Backend {
  readonly url: string;
  readonly serverName?: string;
  readonly authority?: string;
  readonly insecure: boolean;
  readonly certificate?: string;
  readonly key?: string;
  readonly token?: string;
}

type Member = Readonly<Record<string, unknown>>;
interface Kubeconfig {
  readonly "current-context"?: string;
  readonly clusters?: readonly { readonly name: string; readonly cluster: Member }[];
  readonly users?: readonly { readonly name: string; readonly user: Member }[];
  readonly contexts?: readonly {
    readonly name: string;
    readonly context: { readonly cluster?: string; readonly user?: string };
  }[];
}

/** Reads the current context of a kubeconfig. `readFile` reads what it names. */
export function readBackend(text: string, readFile: (path: string) => string): Backend {
  const config = (parseYaml(text).value ?? {}) as Kubeconfig;
  const context = config.contexts?.find(({ name }) => name === config["current-context"])?.context;
  const cluster = config.clusters?.find(({ name }) => name === context?.cluster)?.cluster;
  const user = config.users?.find(({ name }) => name === context?.user)?.user ?? {};
  if (typeof cluster?.["server"] !== "string")
    throw new Error("the kubeconfig of the image policy names no server in its current context");
  const textOf = (of: Member, member: string): string | undefined => {
    const [data, path] = [of[`${member}-data`], of[member]];
    if (typeof data === "string") return Buffer.from(data, "base64").toString("utf8");
    return typeof path === "string" ? readFile(path) : undefined;
  };
  const token =
    typeof user["token"] === "string"
      ? user["token"]
      : typeof user["tokenFile"] === "string"
        ? readFile(user["tokenFile"]).trim()
        : undefined;
  const [authority, certificate, key, serverName] = [
    textOf(cluster, "certificate-authority"),
    textOf(user, "client-certificate"),
    textOf(user, "client-key"),
    cluster["tls-server-name"],
  ];
  return {
    url: cluster["server"],
    insecure: cluster["insecure-skip-tls-verify"] === true,
    ...(typeof serverName === "string" && { serverName }),
    ...(authority !== undefined && { authority }),
    ...(certificate !== undefined && { certificate }),
    ...(key !== undefined && { key }),
    ...(token !== undefined && { token }),
  };
}
