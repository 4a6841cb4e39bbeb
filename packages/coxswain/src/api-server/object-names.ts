/** Names of the objects that a project's server consists of in a cluster. */
export interface ServerNames {
  readonly namespace: string;
  /** Of the Deployment, the Service and the service account. */
  readonly server: string;
  /** Of the Secret with the certificate. */
  readonly certificate: string;
  /** By which a kube-apiserver calls it, and which its certificate is for. */
  readonly host: string;
}

export const serverNames = (project: string): ServerNames => ({
  namespace: `${project}-system`,
  server: project,
  certificate: `${project}-certificate`,
  host: `${project}.${project}-system.svc`,
});
