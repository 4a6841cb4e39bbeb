/**
 * The commands behind `npm run tool`, in groups. `run`: a built module of tools/dist with its arguments; or tests (`vitest`), with the
 * environment that makes them run in full. `build`: what must be built before: everything (the default but for tests), or the tools alone.
 */
const conformanceNeeds = "Go; the first run builds the suite (minutes)";
const upstreamNeeds = "Go; the first run builds kube-apiserver and etcd (minutes)";

export const tools = [
  // Compared with upstream
  {
    name: "oracle",
    module: "oracle/main.js",
    what: "generated cases on kube-apiserver and on ours, compared (docs/oracle.md)",
    needs: upstreamNeeds,
  },
  {
    name: "clients",
    module: "clients/matrix/main.js",
    what: "some 240 commands as people type them, with every kubectl that is there",
    needs: "kubectl by minor release (COXSWAIN_KUBECTL_DIR); Go",
  },
  {
    name: "conformance",
    module: "conformance/main.js",
    build: "tools",
    what: "the official suite against `coxswain up`, or with parts of upstream's in their place",
    needs: conformanceNeeds,
  },
  {
    name: "test-cmd",
    module: "test-cmd/main.js",
    what: "upstream's kubectl scripts (test/cmd) against our server",
    needs: "Go, bash, curl, jq, script, openssl",
  },
  {
    name: "gateway-definitions",
    module: "gateway-definitions/main.js",
    build: "tools",
    what: "writes the Gateway API's definitions, without prose, from its Go module",
    needs: "Go",
  },
  {
    name: "gateway-conformance",
    module: "gateway-conformance/main.js",
    what: "the Gateway API's own suite against `coxswain up` with simulated backends (docs/gateway.md)",
    needs: "Go, root; the first run builds the suite (minutes)",
  },
  {
    name: "dns-compare",
    module: "dns-compare/main.js",
    what: "generated DNS questions to CoreDNS and to ours, compared; questions per second",
    needs: "Go; the first run builds CoreDNS (minutes)",
  },
  {
    name: "crds",
    module: "crds/main.js",
    what: "the custom resources of other projects on kube-apiserver and on ours, compared",
    needs: "Go",
  },
  {
    name: "check-compare",
    vitest: ["--reporter=verbose", "packages/coxswain/src/check/compare"],
    environment: { COXSWAIN_CHECK_COMPARE: process.env.COXSWAIN_CHECK_COMPARE ?? "all" },
    build: "tools",
    what: "`coxswain check` and kube-apiserver's dry run on the manifests of fifteen projects and on 1,000 odd ones, compared",
    needs: upstreamNeeds,
  },
  {
    name: "imports",
    vitest: ["packages/operator/src/import/projects"],
    environment: { COXSWAIN_IMPORTS: "all" },
    what: "TypeScript types of the custom resources of fifteen projects, compiled and checked",
    needs: "Go",
  },
  {
    name: "helm",
    module: "helm/main.js",
    what: "Helm installs, upgrades, rolls back, tests and uninstalls a chart on `coxswain up`",
    needs: "Go; the first run builds Helm (minutes)",
  },
  {
    name: "charts",
    module: "charts/main.js",
    what: "charts of other projects (databases, brokers, operators) installed with --wait on `coxswain up` (docs/charts.md)",
    needs: "checkouts of their repositories; Go: the first run builds Helm (minutes)",
  },
  {
    name: "kwok",
    module: "kwok/main.js",
    what: "a deployment's life with upstream's controllers, scheduler and KWOK on both servers",
    needs: "Go; the first run builds KWOK (minutes)",
  },
  {
    name: "stages",
    module: "stages/main.js",
    what: "KWOK's published stages played by KWOK and by our simulated nodes, compared",
    needs: "Go; the first run builds KWOK and kubectl",
  },
  {
    name: "sample",
    module: "sample/main.js",
    what: "upstream's sample API server and examples/sample-apiserver, behind kube-apiserver and behind ours, compared",
    needs: "Go",
  },
  {
    name: "h2spec",
    module: "h2spec/main.js",
    what: "h2spec's cases, put to ours and to kube-apiserver",
    needs: "Go; the first run builds h2spec",
  },
  {
    name: "envtest-project",
    module: "envtest-project/main.js",
    what: "an operator scaffolded by kubebuilder, tested with `coxswain envtest` and with the real assets",
    needs: "Go",
  },
  {
    name: "tutorial",
    module: "tutorial/main.js",
    what: "docs/tutorial-operator.md as printed, on `coxswain up` and on upstream's cluster",
    needs: "Go",
  },
  {
    name: "scheduling-problems",
    vitest: ["packages/scheduler/src/scheduler/same-decisions"],
    environment: { COXSWAIN_PROBLEMS: "1000" },
    what: "1,000 generated scheduling problems, solved by our framework and by upstream's",
    needs: "the tool `programs` before",
  },
  // Long runs of our own
  {
    name: "proxy-compare",
    module: "proxy-compare/main.js",
    what: "connections to generated services through kube-proxy and through ours, compared",
    needs: "root, nft, iproute2; Go: the first run builds kube-proxy",
  },
  {
    name: "kill-services",
    module: "kill-services/main.js",
    what: "SIGKILL of proxy and DNS while services change: open connections stay, rules and names are right again",
    needs: "root, nft, iproute2",
  },
  {
    name: "proxy-bench",
    module: "proxy-bench/main.js",
    what: "10,000 services on kube-proxy and on ours: first rules, one changed endpoint, memory",
    needs: "root, nft, iproute2; Go: the first run builds kube-proxy",
  },
  {
    name: "churn",
    module: "churn/main.js",
    what: "seeded churn, with upstream's controller manager and ours, or on `coxswain up` with kills (--up)",
    needs: "Go, kubectl",
  },
  {
    name: "node-kills",
    module: "node-kills/main.js",
    what: "kill -9 of kubelet and containerd under churn of pods: no container is lost, nothing is left behind",
    needs: "root; the tool `prepare nodes` before",
  },
  {
    name: "store-kills",
    module: "store-kills/main.js",
    what: "kube-apiserver on our store by etcd's protocol: SIGKILL of the store under creates, none that was acknowledged is lost",
    needs: upstreamNeeds,
  },
  {
    name: "store-robustness",
    module: "store-robustness/main.js",
    what: "etcd's robustness traffic on our store with kills, pauses and a full disk; etcd's own validators judge it",
    needs: "root; Go: the first run builds the validators",
  },
  {
    name: "up-kills",
    module: "up-kills/main.js",
    what: "kill -9 of `up --runtime containerd` while it starts, runs and stops: `up` works again, `reset` leaves the machine as before",
    needs: "root; Debian's containerd, runc, CNI plugins",
  },
  {
    name: "node-certificates",
    build: "everything",
    vitest: ["packages/coxswain/src/join/certificates-under-load.test.ts"],
    environment: { COXSWAIN_CERTIFICATE_MINUTES: "12" },
    what: "certificates of five minutes on a node that joined, replaced under load without a failed request",
    needs: "root; Debian's containerd, runc, CNI plugins",
  },
  {
    name: "node-commands",
    module: "node-commands/main.js",
    what: "exec, attach, logs, port-forward, cp, debug and run by kubectl on upstream's kubelet and on ours, compared",
    needs: "root; the tool `prepare nodes` before; kubectl 1.31 (COXSWAIN_KUBECTL_DIR)",
  },
  {
    name: "kubelet-bench",
    module: "kubelet-bench/main.js",
    what: "pod starts, memory and processor time at rest of upstream's kubelet and of ours, on the same containerd",
    needs: "root; the tool `prepare nodes` before",
  },
  {
    name: "hostile-pods",
    vitest: ["--reporter=verbose", "packages/kubelet/src/on-containerd.test.ts"],
    environment: { COXSWAIN_HOSTILE_PODS: "all" },
    what: "pods that harm a node with a real containerd, a node without runtime and without disk",
    needs: "root; Debian's containerd, runc, CNI plugins",
  },
  {
    name: "storms",
    vitest: ["--reporter=verbose", "examples/storms"],
    environment: { COXSWAIN_STORMS: "100" },
    what: "the sample operators in 100 seeded storms each",
  },
  {
    name: "restarts",
    vitest: ["--reporter=verbose", "packages/controllers/src/restart"],
    environment: { COXSWAIN_RESTARTS: "all" },
    what: "kills the controllers before each of their writes and compares all that is stored",
  },
  {
    name: "damage",
    vitest: ["--reporter=verbose", "packages/coxswain/src/apiserver/damaged-values.test.ts"],
    environment: { COXSWAIN_DAMAGE: "20" },
    what: "garbage, lost keys and rotations of keys under load with kills, under two API servers over one etcd",
    needs: "etcd",
  },
  {
    name: "determinism",
    vitest: ["packages/testkit/src/replay/same-run"],
    environment: { COXSWAIN_SEEDS: "1-200" },
    what: "200 seeds of the test kit, each run twice: the two revision logs must be equal",
  },
  {
    name: "forks",
    vitest: ["packages/testkit/src/cluster/stopped-forks"],
    environment: { COXSWAIN_FORKS: "1000" },
    what: "1,000 forks of a test cluster are made and stopped: memory stays flat",
  },
  {
    name: "soak",
    module: "bench/soak/main.js",
    what: "2,000 idle watches next to 16 writers for a minute: memory must be flat",
  },
  {
    name: "hostile",
    module: "hostile/main.js",
    what: "attacks on a running server, with GETs of another user measured next to them",
  },
  {
    name: "console",
    module: "console/main.js",
    what: "stories of the console in a browser, with axe in both themes; pictures of every view",
    needs: "chromium, kubectl",
  },
  {
    name: "console-crds",
    module: "console/custom/main.js",
    what: "custom resources of 15 projects in the console: listed, edited, validated",
    needs: "chromium, kubectl, Go modules of the projects",
  },
  {
    name: "console-speed",
    module: "console/speed/main.js",
    what: "the console with 50,000 pods and 1,000 changes a second: work of frames, heaps, first rows, filter, order",
    needs: "chromium",
  },
  {
    name: "store-damage",
    vitest: ["--reporter=verbose", "packages/storage/src/lmdb/damage"],
    environment: { COXSWAIN_DAMAGE: "1000" },
    what: "damages the files of the embedded store in 1,000 places and compares all that is served",
  },
  {
    name: "chronicle",
    vitest: ["--reporter=verbose", "packages/storage/src/chronicle/churn.test.ts"],
    environment: { COXSWAIN_CHRONICLE: "200" },
    what: "200 seeded runs of churn, crashes and compactions over the chronicle: every change once or in a gap, every state",
  },
  {
    name: "history-kills",
    vitest: ["--reporter=verbose", "packages/coxswain/src/apiserver/history-kills.test.ts"],
    environment: { COXSWAIN_HISTORY_KILLS: "20" },
    what: "kill -9 of a server with history at random moments: what is missing was written in the last two seconds, and is reported",
  },
  {
    name: "causes",
    vitest: ["--reporter=verbose", "packages/coxswain/src/why/why.test.ts"],
    environment: { COXSWAIN_CAUSES: "25" },
    what: "writes of controllers under load, each compared with the reconcile that really made it",
  },
  {
    name: "doubling",
    vitest: ["--reporter=verbose", "packages/apiserver/test/doubling"],
    environment: { COXSWAIN_DOUBLING: "all" },
    what: "work on inputs of doubled size must at most double",
  },
  { name: "fuzz", module: "fuzz/main.js", what: "fuzzes the parsers of untrusted bytes" },
  {
    name: "runtimes",
    script: "tools/runtimes/main.mjs",
    what: "a smoke test of the client library in Node, Bun and Deno",
    needs: "npm's registry, once",
  },
  {
    name: "node-versions",
    module: "node-versions/main.js",
    what: "the suite, `npm start` and the packed package on Node 20, 22, 24 and 26, as a table",
    needs: "npm's registry",
  },
  {
    name: "walks",
    vitest: [
      "--reporter=verbose",
      "packages/coxswain/src/up/laptop-walk.test.ts",
      "packages/coxswain/src/project-walk.test.ts",
      "tools/src/tutorial/tutorial.test.ts",
      "packages/coxswain/src/envtest/controller-runtime.test.ts",
      "packages/coxswain/src/envtest/kubebuilder.test.ts",
      "packages/coxswain/src/ci-walk.test.ts",
      "packages/coxswain/src/production.test.ts",
    ],
    environment: { COXSWAIN_WALKS: "all" },
    build: "everything",
    what: "the first hour in five walks: a laptop, a TypeScript project from tarballs, a Go project, CI, several machines",
    needs: "npm's registry; for some: kubectl, etcd, Go's programs",
  },
  // Made once
  {
    name: "pack",
    module: "pack/main.js",
    what: "the tarballs of all packages that are to be published, in dist/packages: projects install them from there",
  },
  {
    name: "prepare",
    module: "nodes/prepare-main.js",
    build: "tools",
    what: "`prepare nodes`: Debian's packages, upstream's programs and the images that runs on real nodes need",
    needs: "root on Debian 12, Go, the network",
  },
  {
    name: "programs",
    module: "programs/main.js",
    build: "tools",
    what: "our small Go clients and the programs that answer for upstream, which tests then use",
    needs: "Go",
  },
  {
    name: "bootstrap-policy",
    module: "bootstrap-policy/main.js",
    build: "tools",
    what: "the RBAC roles and bindings that every cluster begins with, generated",
    needs: "Go",
  },
];

/** `npm run record [-- what]`: what kube-apiserver answers. */
export const recorders = [
  { name: "cases", module: "record/main.js", build: "tools", what: "to our cases (the default)", needs: upstreamNeeds },
  {
    name: "access",
    module: "access/main.js",
    build: "tools",
    what: "to questions of authorization",
    needs: upstreamNeeds,
  },
  {
    name: "attacks",
    module: "attacks/main.js",
    build: "tools",
    what: "to forged tokens and escalations",
    needs: upstreamNeeds,
  },
  { name: "audit", module: "audit/main.js", build: "tools", what: "in its audit log", needs: upstreamNeeds },
];

/** `npm run bench [-- what]`. */
export const benches = [
  {
    name: "server",
    module: "bench/main.js",
    what: "ours next to kube-apiserver and etcd in one run (the default; docs/benchmarks.md)",
    needs: upstreamNeeds,
  },
  {
    name: "client",
    module: "bench/client/main.js",
    what: "@coxswain/client next to @kubernetes/client-node and client-go",
    needs: "npm's registry, once; Go",
  },
  {
    name: "operator",
    module: "bench/operator/main.js",
    what: "reconciles per second next to a controller-runtime program",
    needs: "Go",
  },
  {
    name: "testkit",
    project: "packages/testkit/bench",
    flags: ["--expose-gc"],
    what: "starts, forks, virtual weeks and memory of the test kit",
  },
  {
    name: "cel",
    project: "packages/cel/bench",
    what: "one evaluation of a CEL expression, next to cel-go",
    needs: "Go",
  },
  { name: "store", project: "packages/storage/bench", what: "the embedded store next to etcd", needs: "Go" },
  {
    name: "history",
    module: "bench/history/main.js",
    what: "what history costs: creates, GETs, memory, start and disk, by turns with and without it",
  },
  {
    name: "history-reads",
    project: "packages/apiserver/bench",
    what: "history, at and why among a million changes",
  },
  {
    name: "gateway",
    project: "packages/gateway/bench",
    what: "requests through the gateway next to nginx as a proxy, and the time until a changed route is served",
    needs: "nginx; wrk",
  },
  { name: "engines", module: "bench/engines.js", what: "codecs, patches, apply and linking" },
];
