export {
  connect,
  type ConnectedClient,
  type ConnectOptions,
  createTransport,
  loadConfig,
  type TransportSettings,
} from "./connect.js";
export { inClusterConfig, type InClusterOptions } from "./kubeconfig/in-cluster.js";
export {
  kubeconfigFiles,
  loadKubeconfig,
  type LoadKubeconfigOptions,
  loadKubeconfigText,
  readKubeconfigs,
} from "./kubeconfig/load-kubeconfig.js";
export { createDiskDiscoveryCache, type DiskDiscoveryOptions } from "./disk-discovery-cache.js";
export { updateKubeconfig } from "./kubeconfig/update-kubeconfig.js";
export {
  type ClientConfig,
  type ExecConfig,
  type Kubeconfig,
  type KubeconfigChoice,
  KubeconfigError,
  type OidcConfig,
  type Pem,
} from "../kubeconfig/index.js";
export {
  attach,
  type AttachOptions,
  type CommandResult,
  copyFromPod,
  type CopyOptions,
  copyToPod,
  exec,
  type ExecOptions,
  portForward,
  type PortForward,
  type PortForwardOptions,
  type RemoteCommand,
  type TerminalSize,
} from "./streams/index.js";

export { readTar, type TarEntry } from "./streams/tar-read.js";

// For those who relay streams.
export { openWebSocket, type StreamRequest } from "./streams/index.js";

// For those who bring their own way of authentication.
export { createNodeTransport, type NodeTransport, type NodeTransportOptions, type TlsMaterial } from "./http/index.js";
export {
  anonymous,
  basicAuth,
  bearerToken,
  combineIdentities,
  fixedIdentity,
  type Identity,
  type IdentitySource,
} from "./auth/identity.js";
