/** The tables of docs/benchmarks.md, each between `<!-- bench:NAME -->` and `<!-- /bench -->` there; `upstream` is the head of its column. */
export const topics = {
  server: { upstream: "kube-apiserver" },
  reads: { upstream: "kube-apiserver" },
  fairness: { upstream: "kube-apiserver" },
  "custom-resources": { upstream: "kube-apiserver" },
  clusters: { upstream: "upstream" },
  scheduler: { upstream: "kube-scheduler" },
  controllers: { upstream: "kube-controller-manager" },
  "test-kit": { upstream: "upstream" },
  client: { upstream: "client-node" },
  "client-go": { upstream: "client-go" },
  operator: { upstream: "controller-runtime" },
} as const satisfies Record<string, { upstream: string }>;

export type Topic = keyof typeof topics;

export const isTopic = (name: string): name is Topic => Object.hasOwn(topics, name);
