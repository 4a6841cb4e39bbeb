/**
 * The folders of a package's `src` that are layers, from the bottom to the top: a file imports only its own folder and folders
 * before it (types count too; tests may import anything). Files beside the folders, such as `index.ts`, stand above all of them.
 */
export const folderTable: Readonly<Record<string, readonly string[]>> = {
  runtime: [
    "event-loop", // later iterations of it
    "soon", // values that are known now or later
    "lazy-module",
    "lazy-signal",
    "memory-budget",
    "log", // the interface of a logger
    "metrics", // the interface of metrics
    "activity", // what is under way
    "clock",
    "random",
    "wait", // sleeping and polling
    "backoff", // waits between tries
    "scheduler", // tasks, time slices, yielding
    "steps", // work that may be interrupted
    "runtime", // all of it as one value
  ],
  apimachinery: [
    "append",
    "text",
    "own",
    "time",
    "field",
    "meta",
    "status",
    "schema",
    "quantity",
    "json",
    "cron",
    "int-or-string",
    "jsonpath",
    "regexp",
    "resource-version",
    "validation",
    "selector",
    "patch",
    "managed-fields",
    "negotiation",
    "object",
    "owner-references",
    "protobuf",
    "rest-mapper",
    "scheme",
    "structural-schema",
    "yaml",
  ],
  component: [
    "files",
    "certificates",
    "health",
    "metrics",
    "profiling",
    "endpoint",
    "delegated-access",
    "feature-gates",
    "flags",
    "kubeconfig",
    "log",
    "serving",
  ],
  kinds: [
    "validation-rules",
    "definition", // what a kind is
    "defaults",
    "internal-form",
    "checks", // field checks
    "pod-spec",
    "gates",
    "built-in", // kinds from the tables
    "workload",
    "printing",
    "admissionregistration",
    "apiextensions",
    "apiregistration",
    "apps",
    "autoscaling",
    "batch",
    "certificates",
    "coordination",
    "core",
    "discovery",
    "flowcontrol",
    "networking",
    "node",
    "policy",
    "rbac",
    "resource",
    "scheduling",
    "storage",
    "cel-rules",
    "custom-resources",
  ],
  storage: [
    "contract", // KeyValueStore and its errors
    "files",
    "sorted-map",
    "backup",
    "conformance",
    "encryption",
    "local", // what the embedded engines share
    "etcd",
    "memory",
    "lmdb",
    "socket",
  ],
  wire: [
    "bytes",
    "dns",
    "protobuf",
    "http2",
    "grpc",
    "idle-connections",
    "jwt",
    "upgrade",
    "spdy",
    "websocket",
    "x509",
  ],
  coxswain: [
    "command", // what every command needs
    "prepared-objects",
    "engine", // opening stores
    "store",
    "apiserver",
    "balance",
    "component",
    "controller-manager",
    "kubelet",
    "scheduler",
    "up",
    "node",
    "envtest",
    "kubeconfig",
    "operator",
    "completion",
    "testing",
  ],
  apiserver: [
    "metrics", // counting that several folders share
    "documents", // discovery and OpenAPI from facts of resources
    "cache", // watch caches, keys, stored bytes
    "request", // request, context, answer, user, filter
    "catalogue", // which kinds are served, in which versions
    "configuration", // configuration files and names of this server
    "network", // what connections to nodes, pods, services and webhooks go through
    "webhook", // calls to webhooks
    "authorization",
    "authentication",
    "admission",
    "objects", // reading and writing objects
    "endpoints", // verbs, decoding, responding
    "registry", // resources with behaviour of their own
    "aggregation", // API servers behind this one
    "flow-control", // priority and fairness
    "audit",
    "filters",
    "server",
  ],
  operator: [
    "resource", // definitions of resources, names of objects
    "cache", // informers, and writes that they have not seen
    "access", // a cluster's client and cache
    "event", // changes, predicates, causes
    "controller",
    "objects", // helpers that write: finalizers, conditions, apply
    "serving", // pages and metrics, without sockets
    "webhook", // admission and conversion, without sockets
    "manager",
    "types", // definitions from TypeScript types
    "import", // types from definitions
    "node", // sockets, files, flags, certificates
  ],
  scheduler: [
    "pod", // facts of one pod
    "cache", // nodes and the pods on them
    "framework", // extension points and how plugins are run
    "extender", // programs outside that take part
    "queue", // pods that wait
    "schedule", // one pod from the queue to its binding
    "preemption", // making room
    "volumes", // claims and volumes of pods, which several plugins look at
    "devices", // allocation of devices to claims
    "plugins",
    "config",
    "scheduler", // composition
  ],
};

/** Packages in which neither files nor folders import each other in a circle. */
export const acyclicPackages: readonly string[] = [
  "apiserver",
  "component",
  "kinds",
  "runtime",
  "scheduler",
  "storage",
  "wire",
];
