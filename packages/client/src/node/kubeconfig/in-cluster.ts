import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ClientConfig } from "../../kubeconfig/index.js";

export interface InClusterOptions {
  /** @default process.env */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Where a pod finds its token. @default "/var/run/secrets/kubernetes.io/serviceaccount" */
  readonly folder?: string;
}

/** What a pod has to reach the API of its cluster; undefined outside of one. The token is read again as it is rotated. */
export function inClusterConfig(options: InClusterOptions = {}): ClientConfig | undefined {
  const { environment = process.env, folder = "/var/run/secrets/kubernetes.io/serviceaccount" } = options;
  const host = environment["KUBERNETES_SERVICE_HOST"];
  const port = environment["KUBERNETES_SERVICE_PORT"];
  const tokenFile = join(folder, "token");
  if (!host || !port || !existsSync(tokenFile)) return undefined;
  const authority = join(folder, "ca.crt");
  return {
    server: `https://${host.includes(":") ? `[${host}]` : host}:${port}`,
    tokenFile,
    ...(existsSync(authority) && { certificateAuthority: { file: authority } }),
    namespace: environment["POD_NAMESPACE"] || namespaceIn(join(folder, "namespace")),
  };
}

function namespaceIn(file: string): string {
  return (existsSync(file) && readFileSync(file, "utf8").trim()) || "default";
}
