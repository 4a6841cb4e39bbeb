import { FlagError, type OptionsOf } from "@coxswain/component/flags";
import type { serverFlags } from "./server-flags.js";

/** What a server runs with: flags, completed by each other and checked. Nothing is read or opened yet. */
export interface ServerConfig {
  readonly listening: { readonly host: string; readonly port: number };
  readonly certificates: {
    readonly directory: string;
    readonly files?: { readonly certificate: string; readonly key: string };
  };
  readonly store:
    | { readonly engine: "embedded"; readonly directory: string }
    | { readonly engine: "etcd"; readonly servers: readonly string[]; readonly files: EtcdFiles };
  /** Whether nothing is created in a namespace that the cluster does not have. */
  readonly admission: { readonly namespaces: boolean };
  readonly access: /** Users come with certificates of an authority of this server's. */
    | { readonly by: "certificates" }
    /** API servers decide; undefined: that of the cluster in which this is a pod, or of the default kubeconfig. */
    | {
        readonly by: "cluster";
        readonly authentication: string | undefined;
        readonly authorization: string | undefined;
      };
}

export interface EtcdFiles {
  readonly ca: string | undefined;
  readonly certificate: string | undefined;
  readonly key: string | undefined;
}

/** The one plugin that is the library's own. */
const namespacePlugin = "NamespaceLifecycle";

/** Pure: from flags to a configuration. @throws FlagError where flags contradict each other */
export function complete(flags: OptionsOf<typeof serverFlags>): ServerConfig {
  const { tlsCertFile: certificate, tlsPrivateKeyFile: key } = flags;
  if ((certificate === undefined) !== (key === undefined))
    throw new FlagError("--tls-cert-file and --tls-private-key-file must be given together");
  if ((flags.etcdCertfile === undefined) !== (flags.etcdKeyfile === undefined))
    throw new FlagError("--etcd-certfile and --etcd-keyfile must be given together");
  const { kubeconfig, authenticationKubeconfig = kubeconfig, authorizationKubeconfig = kubeconfig } = flags;
  if (flags.alone && (authenticationKubeconfig !== undefined || authorizationKubeconfig !== undefined))
    throw new FlagError("--alone is for a server without a cluster: leave out the kubeconfigs");
  const unknown = flags.disableAdmissionPlugins.find((name) => name !== namespacePlugin);
  if (unknown !== undefined)
    throw new FlagError(`--disable-admission-plugins: there is no "${unknown}", only ${namespacePlugin}`);
  return {
    listening: { host: flags.bindAddress, port: flags.securePort },
    certificates: {
      directory: flags.certDir,
      ...(certificate !== undefined && key !== undefined && { files: { certificate, key } }),
    },
    store:
      flags.etcdServers.length === 0
        ? { engine: "embedded", directory: flags.dataDir }
        : {
            engine: "etcd",
            servers: flags.etcdServers,
            files: { ca: flags.etcdCafile, certificate: flags.etcdCertfile, key: flags.etcdKeyfile },
          },
    admission: { namespaces: !flags.disableAdmissionPlugins.includes(namespacePlugin) },
    access: flags.alone
      ? { by: "certificates" }
      : { by: "cluster", authentication: authenticationKubeconfig, authorization: authorizationKubeconfig },
  };
}
