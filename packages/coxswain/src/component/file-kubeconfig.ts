/** What a kubeconfig of files names: who replaces the files need not write it again, and clients look at them while they run. */
export interface FileKubeconfig {
  readonly server: string;
  readonly authority: string;
  readonly certificate: string;
  readonly key: string;
}

export const fileKubeconfig = ({ server, authority, certificate, key }: FileKubeconfig): string =>
  `${JSON.stringify(
    {
      apiVersion: "v1",
      kind: "Config",
      clusters: [{ name: "cluster", cluster: { server, "certificate-authority": authority } }],
      users: [{ name: "node", user: { "client-certificate": certificate, "client-key": key } }],
      contexts: [{ name: "node", context: { cluster: "cluster", user: "node" } }],
      "current-context": "node",
    },
    null,
    2,
  )}\n`;
