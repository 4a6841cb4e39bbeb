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
    "sort",
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
    "programs", // running programs of the machine
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
    "main", // what the mains of users' programs share
    "private-socket", // for this user alone
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
    "own-kinds", // kinds of a server of one's own
  ],
  storage: [
    "contract", // KeyValueStore and its errors
    "files",
    "sorted-map",
    "chronicle", // changes for longer than the store keeps them
    "backup",
    "conformance",
    "encryption",
    "local", // what the embedded engines share
    "etcd",
    "memory",
    "lmdb",
    "etcd-server", // etcd's protocol on any of them
    "socket",
  ],
  wire: [
    "bytes",
    "dns",
    "protobuf",
    "http1",
    "http2",
    "grpc",
    "idle-connections",
    "http",
    "jwt",
    "upgrade",
    "spdy",
    "websocket",
    "x509",
  ],
  coxswain: [
    "command", // what every command needs
    "version",
    "prepared-objects",
    "engine", // opening stores
    "store",
    "apiserver",
    "balance",
    "component",
    "controller-manager",
    "dns",
    "kubelet",
    "proxy",
    "scheduler",
    "up",
    "image",
    "console",
    "doctor",
    "node",
    "join",
    "token",
    "envtest",
    "kubeconfig",
    "certs",
    "check",
    "gateway", // reads manifests as check does
    "project", // what projects of operators and of API servers have in common
    "operator",
    "api-server", // projects of API servers
    "history", // changes, moments, restoring
    "at",
    "why",
    "export",
    "completion",
    "testing",
  ],
  api: [
    "gen", // generated types and tables
    "scalars",
    "types",
    "tables",
    "release",
    "feature-gates",
    "resources",
    "pods",
    "endpoint-slices",
    "placement",
    "quota",
    "local-path",
    "initializers",
    "descriptions",
  ],
  cel: [
    "source", // texts, positions, issues
    "types",
    "values",
    "ast",
    "parser",
    "declarations", // functions, types and costs as libraries declare them
    "checker",
    "library",
    "cost",
    "interpreter",
    "stdlib",
    "environment",
    "extensions",
    "kubernetes", // its libraries
    "admission",
    "devices",
    "access",
    "conformance",
  ],
  client: [
    "deadline",
    "transport", // the contract, and what transports share
    "watch", // frames to events
    "fetch", // over the platform's fetch
    "socket", // many requests over one WebSocket
    "rest", // requests as data
    "kubeconfig",
    "retry",
    "stores",
    "queue",
    "work", // which work item made which write
    "informers",
    "tables", // lists as the server prints them
    "events",
    "leader-election",
    "resource", // every verb on one resource
    "discovery",
    "typed", // all clients of one cluster
    "recording",
    "wait",
    "pods",
    "rollout",
    "drain",
    "certificates",
    "controller",
    "node", // sockets, files, plugins of credentials
  ],
  console: [
    "contract", // what page and worker send each other, and rules that both know
    "worker", // all data
    "page", // what is seen
    "relay", // Node: files, sessions, one WebSocket
  ],
  controllers: [
    "gen",
    "settings", // what flags set
    "discovery", // what the server serves
    "networks",
    "nodes",
    "protection",
    "pod-template-hash",
    "controller", // what every controller is given
    "pods", // pods of workloads
    "controller-revisions",
    "resource-claims",
    "service-endpoints",
    "certificate-requests",
    "volumes",
    // the controllers; some use what another one exports
    "certificate-cleaner",
    "certificate-approving",
    "serving-approving", // ours, not upstream's
    "certificate-signing",
    "cluster-role-aggregation",
    "cluster-trust-bundle-publisher",
    "namespace",
    "node-ipam",
    "persistent-volume-protection",
    "pod-certificate-request-cleaner",
    "daemon-set",
    "disruption",
    "garbage-collector",
    "horizontal-pod-autoscaler",
    "job",
    "cron-job",
    "node-lifecycle",
    "pod-garbage-collector",
    "replica-set",
    "deployment",
    "replication-controller",
    "device-taint-eviction",
    "pod-group-protection",
    "resource-claim",
    "resource-pool-status-request",
    "resource-quota",
    "root-ca-publisher",
    "service-account",
    "service-account-token",
    "legacy-service-account-token-cleaner",
    "service-cidrs",
    "endpoint-slice",
    "endpoint-slice-mirroring",
    "endpoints",
    "stateful-set",
    "storage-version-garbage-collector",
    "storage-version-migrator",
    "taint-eviction",
    "token-cleaner",
    "bootstrap-signer",
    "ttl",
    "ttl-after-finished",
    "validating-admission-policy-status",
    "attach-detach",
    "ephemeral-volume",
    "persistent-volume-binder",
    "persistent-volume-claim-protection",
    "persistent-volume-expander",
    "local-path", // ours, not upstream's
    "selinux-warning",
    "volume-attributes-class-protection",
    "restart",
  ],
  testkit: [
    "time", // spans, the clock that tests move
    "faults",
    "programs", // programs under test, and the processes they run in
    "schedules", // orders of work
    "storm",
    "timeline",
    "report", // what is printed of a failure
    "cluster",
    "exploring", // many schedules of one test
    "replay",
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
    "controllers", // what a controller inside the server is made of
    "registry", // resources with behaviour of their own
    "aggregation", // API servers behind this one
    "flow-control", // priority and fairness
    "audit",
    "filters",
    "server",
    "library", // servers for kinds of one's own
    "describe-api", // the suite that such servers pass
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
    "manifests", // roles, webhook configurations and modules of resources, from sources
    "import", // types from definitions
    "node", // sockets, files, flags, certificates
  ],
  "schema-types": [
    "syntax", // the part of TypeScript that types are written in
    "markers",
    "shapes", // what a type is, whatever it is made of
    "schema",
    "definitions",
  ],
  kubelet: [
    "gen", // messages of CRI
    "objects", // pods as a cache has them
    "addresses", // of simulated pods
    "languages", // programs that users write
    "runtime", // the contract of what runs containers
    "machine", // facts and usage of a node's machine
    "pod", // decisions about one pod
    "admission",
    "probes",
    "logs", // files of the container runtime
    "images",
    "cri", // containers by CRI
    "cgroups",
    "sources", // variables and files from other objects
    "csi", // storage drivers: registration, calls
    "volumes",
    "eviction",
    "worker", // carries decisions out for one pod
    "recovery", // what a dead kubelet left
    "stages", // KWOK's
    "static-pods",
    "node", // one node: registration, heartbeats, workers
    "simulated", // nodes without containers
    "server",
  ],
  machines: [
    "networks", // IPv4 networks and addresses
    "steps", // changes to this machine, as data
    "undo", // taking them back, also after kill -9
    "config", // files of a node's programs
    "plan", // from fresh namespaces to a machine
    "preflight", // what is missing before that
    "start", // carrying it out
  ],
  cluster: [
    "users", // of components
    "load-balancers",
    "container-network",
    "pod-network",
    "resource-metrics",
    "gateway",
    "parts", // components in processes of their own
  ],
  proxy: [
    "addresses", // families, networks
    "config", // KubeProxyConfiguration
    "metrics",
    "frontends", // what services are on this node
    "rules", // the nftables transaction between two states
    "nft", // running nft
    "conntrack", // flows to endpoints that went, limits
    "health", // pages for load balancers
    "node", // facts of the node
    "tracking", // what has changed, and writing it
    "masquerade", // pods to the world
    "policy", // network policies
    "start", // composition
  ],
  dns: [
    "records", // what a cluster contains, fed by informers
    "answer", // what a question is answered with
    "forward", // what other servers answer
    "server", // sockets, limits, metrics
  ],
  gateway: [
    "objects", // what is read of the Gateway API
    "translate", // from Ingresses to routes
    "routing", // from a request to its rule
    "engine", // what a data plane is given
    "plan", // from objects to listeners and conditions
    "calls", // a request, its answer and a tunnel, whatever the protocol
    "backends", // connections to endpoints
    "clients", // connections of clients
    "exchange", // one request: what becomes of it, and its way there and back
    "streams", // TCP, TLS and UDP
    "data-plane", // ports: the built-in engine
    "controller", // informers, ports, statuses
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
