/** What a client needs to reach an API server, with the files' contents rather than their names. PEM throughout. */
export interface ClusterAccess {
  /** For example `https://127.0.0.1:6443`, without a trailing slash. */
  server: string;
  certificateAuthority: string;
  clientCertificate?: string;
  clientKey?: string;
  token?: string;
}

const base64 = (text: string): string => Buffer.from(text).toString("base64");

/** A kubeconfig with one cluster, one user and one context. JSON, which every reader of YAML accepts. */
export function formatKubeconfig(access: ClusterAccess): string {
  const user = {
    ...(access.clientCertificate === undefined ? {} : { "client-certificate-data": base64(access.clientCertificate) }),
    ...(access.clientKey === undefined ? {} : { "client-key-data": base64(access.clientKey) }),
    ...(access.token === undefined ? {} : { token: access.token }),
  };
  const cluster = { server: access.server, "certificate-authority-data": base64(access.certificateAuthority) };
  const config = {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "upstream", cluster }],
    users: [{ name: "admin", user }],
    contexts: [{ name: "upstream", context: { cluster: "upstream", user: "admin" } }],
    "current-context": "upstream",
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}

/**
 * Reads a kubeconfig that has one cluster and one user, in JSON or YAML, with data rather than file names in it. Not a
 * YAML parser: each member we need is a scalar on a line of its own, whose name occurs once.
 */
export function parseKubeconfig(text: string): ClusterAccess {
  const scalar = (name: string): string | undefined =>
    new RegExp(`(?:^|[\\s"'{,])${name}["']?\\s*:\\s*["']?([^\\s"',}]+)`, "m").exec(text)?.[1];
  const pem = (name: string): string | undefined => {
    const data = scalar(name);
    return data === undefined ? undefined : Buffer.from(data, "base64").toString();
  };
  const server = scalar("server");
  const certificateAuthority = pem("certificate-authority-data");
  if (server === undefined || certificateAuthority === undefined) {
    throw new Error("the kubeconfig has no server, or no certificate-authority-data");
  }
  const clientCertificate = pem("client-certificate-data");
  const clientKey = pem("client-key-data");
  const token = scalar("token");
  return {
    server: server.replace(/\/$/, ""),
    certificateAuthority,
    ...(clientCertificate === undefined ? {} : { clientCertificate }),
    ...(clientKey === undefined ? {} : { clientKey }),
    ...(token === undefined ? {} : { token }),
  };
}
