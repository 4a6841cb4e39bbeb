/** The release of Kubernetes that everything here is compatible with. */
export const kubernetesRelease = { major: "1", minor: "36", gitVersion: "v1.36.4" } as const;
