const nodeName = "node-0";
const container = (name: string, more: object = {}): object => ({ name, image: `${name}:1`, ...more });
const pod = (name: string, spec: object, metadata: object = {}): object => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name, ...metadata },
  spec: { nodeName, containers: [container("a"), container("b")], ...spec },
});
const failing = (stage: string): string => `${stage}.stage.kwok.x-k8s.io`;

/** Pods that stages treat differently: init containers and sidecars, the network of the host, readiness gates, chaos, a Job. */
export const pods = {
  apiVersion: "v1",
  kind: "List",
  items: [
    pod("plain", {}),
    pod("inits", { initContainers: [container("i"), container("side", { restartPolicy: "Always" })] }),
    pod("host", { hostNetwork: true, readinessGates: [{ conditionType: "example.com/gate" }] }),
    pod(
      "chaos",
      {},
      {
        labels: { [failing("pod-container-running-failed")]: "true" },
        annotations: {
          [`${failing("pod-container-running-failed")}/reason`]: "Boom",
          [`${failing("pod-container-running-failed")}/exit-code`]: "7",
          [`${failing("pod-container-running-failed")}/container-name`]: "a",
        },
      },
    ),
    pod(
      "chaos-init",
      { initContainers: [container("i")] },
      { labels: { [failing("pod-init-container-running-failed")]: "true" } },
    ),
    {
      apiVersion: "batch/v1",
      kind: "Job",
      metadata: { name: "job" },
      spec: { template: { spec: { restartPolicy: "Never", containers: [container("a")] } } },
    },
  ],
};
