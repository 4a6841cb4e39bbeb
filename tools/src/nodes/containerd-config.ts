import { networks, ports } from "./addresses.js";

/** Debian 12's is 1.6; 2.4 is built from its module. */
export type ContainerdVersion = "debian" | "2.4";

export const majorVersions: Readonly<Record<ContainerdVersion, number>> = { debian: 1, "2.4": 2 };

/** Pulls from registry.k8s.io go to our registry. */
export const registryHosts = `server = "https://registry.k8s.io"
[host."http://${networks.bridge}:${ports.registry}"]
  capabilities = ["pull", "resolve"]
`;
