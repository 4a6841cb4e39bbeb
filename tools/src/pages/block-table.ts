/** What is done with a block of a page in `npm test`. */
export type Decision =
  /** Typed in a folder of the page's own, next to a cluster of `coxswain up`, in the page's order. */
  | { readonly do: "type"; readonly replace?: Readonly<Record<string, string>> }
  /** Type-checked, behind these lines. */
  | { readonly do: "check types"; readonly before?: string }
  /** Objects, checked by `coxswain check`. */
  | { readonly do: "check objects"; readonly replace?: Readonly<Record<string, string>> }
  /** A file that `coxswain apiserver` starts with. */
  | {
      readonly do: "start with";
      readonly flag: string;
      readonly replace?: Readonly<Record<string, string>>;
      readonly files?: Readonly<Record<string, string>>;
    }
  /** Typed by another test, which reads the page. */
  | { readonly do: "see"; readonly test: string }
  /** Not typed, for a reason; the command and its flags are there. */
  | { readonly do: "check flags"; readonly because: string }
  /** No code. */
  | { readonly do: "nothing"; readonly because: string };

/** By page, then by how the block's first line begins. A block without a row here fails, and so does a row without a block. */
export const blockTable: Readonly<Record<string, Readonly<Record<string, Decision>>>> = {
  "README.md": {
    "npm start": { do: "see", test: "packages/coxswain/src/up/laptop-walk.test.ts" },
    "export KUBECONFIG=$PWD/.coxswain/kubeconfig": { do: "see", test: "packages/coxswain/src/up/laptop-walk.test.ts" },
    "import { startCluster }": {
      do: "check types",
      before: 'import type { Deployment } from "@coxswain/api/apps/v1";\ndeclare const deployment: Deployment;\n',
    },
  },
  "docs/admission.md": {
    "apiVersion: apiserver.config.k8s.io/v1": {
      do: "start with",
      flag: "--admission-control-config-file",
      replace: { "/etc/kubernetes/webhooks.kubeconfig": "webhooks.kubeconfig" },
      files: {
        "webhooks.kubeconfig": "apiVersion: v1\nkind: Config\n",
        "event-limits.yaml":
          "apiVersion: eventratelimit.admission.k8s.io/v1alpha1\nkind: Configuration\nlimits: [{type: Server, qps: 50, burst: 100}]\n",
      },
    },
  },
  "docs/aggregation.md": {
    "apiVersion: apiregistration.k8s.io/v1": { do: "check objects", replace: { "caBundle: …": "caBundle: Y2E=" } },
  },
  "docs/api-server-library.md": {
    "const server = await createApiServer": {
      do: "nothing",
      because: "one line of packages/apiserver/README.md, which is compiled whole",
    },
    "subresources: {": {
      do: "nothing",
      because: "members of a kind; own-behaviour.test.ts has such ones, and uses them",
    },
    "$ coxswain api init": {
      do: "check flags",
      because: "an image is the reader's; a test types the tutorial's commands",
    },
    "await runApiServer": { do: "nothing", because: "one line of a program; examples have whole ones, with tests" },
    "$ node main.js": { do: "nothing", because: "the reader's program; examples have such ones, with tests" },
  },
  "docs/authentication.md": { "coxswain up ": { do: "check flags", because: "it runs until it is stopped" } },
  "docs/audit.md": {
    "# policy.yaml": { do: "start with", flag: "--audit-policy-file" },
    "coxswain apiserver": { do: "check flags", because: "it runs until it is stopped, and writes to /var/log" },
  },
  "docs/check.md": {
    "coxswain check deploy/": { do: "check flags", because: "it needs the reader's charts, Helm and kustomize" },
    "deploy/web.yaml:14": { do: "nothing", because: "output; packages/coxswain/src/check has its tests" },
  },
  "docs/client.md": { "API server ──watch": { do: "nothing", because: "a diagram" } },
  "docs/cluster.md": {
    "coxswain up ": {
      do: "check flags",
      because: "it begins in the foreground; ci-walk.test.ts types the same commands",
    },
    "coxswain apiserver": {
      do: "check flags",
      because: "they run until they are stopped; production.test.ts runs all of them",
    },
  },
  "docs/conformance.md": {
    "npm run tool -- prepare nodes": { do: "nothing", because: "hours, as root; tools/src/conformance has its tests" },
  },
  "docs/console.md": { "$ coxswain console": { do: "check flags", because: "it runs until it is stopped" } },
  "docs/dns.md": {
    "coxswain dns": { do: "check flags", because: "it listens on another machine's address" },
    "dig @": { do: "nothing", because: "dig is no part of Node; packages/coxswain/src/dns asks by sockets" },
    "kubectl expose": {
      do: "nothing",
      because: "its address depends on the clusters of the machine; laptop-walk.test.ts and up have tests of it",
    },
  },
  "docs/envtest.md": {
    "export KUBEBUILDER_ASSETS": { do: "see", test: "packages/coxswain/src/envtest/controller-runtime.test.ts" },
    "export COXSWAIN_ENVTEST_CONTROLLERS": { do: "see", test: "packages/coxswain/src/envtest/envtest.test.ts" },
    "mkdir -p ~/.kubeapitest": { do: "type", replace: { "npx coxswain": "coxswain" } },
    "import json, os": { do: "nothing", because: "Python is no part of Node; it was run by hand" },
  },
  "docs/etcd-protocol.md": {
    "$ coxswain up": { do: "see", test: "packages/coxswain/src/store/etcd-page.test.ts" },
    "$ coxswain store serve": { do: "check flags", because: "they run until they are stopped" },
  },
  "docs/gateway.md": {
    "$ npx coxswain up": { do: "check flags", because: "a cluster of its own; packages/gateway has its tests" },
  },
  "docs/history.md": {
    "apiVersion: history.coxswain.dev": {
      do: "nothing",
      because: "what the server answers; no object that a client writes",
    },
    "$ kubectl get changes": {
      do: "nothing",
      because: "its revisions are those of one cluster; packages/coxswain/src/history types such commands",
    },
    "causes:": { do: "nothing", because: "a part of an answer" },
    "": { do: "see", test: "tools/src/tutorial/history-stories.test.ts" },
  },
  "docs/initializers.md": {
    "coxswain apiserver": { do: "check flags", because: "it runs until it is stopped" },
    "apiVersion: admissionregistration": {
      do: "nothing",
      because:
        "served behind a feature gate alone; packages/apiserver/src/admission/initializers.test.ts has such objects",
    },
  },
  "docs/install.md": {
    "git clone": {
      do: "check flags",
      because: "it needs the network and changes the machine's npm; npm start builds the same in CI",
    },
    "npm install --save-dev": { do: "see", test: "packages/coxswain/src/project-walk.test.ts" },
    "docker build": { do: "nothing", because: "needs Docker" },
  },
  "docs/joining.md": { "a$ sudo coxswain up": { do: "check flags", because: "needs two machines and root" } },
  "docs/nodes.md": {
    "nodes: ": {
      do: "nothing",
      because: "a file of up --simulation; packages/kubelet/src/simulated/parse-simulation.test.ts reads such files",
    },
  },
  "docs/operations.md": {
    "coxswain certs list": { do: "see", test: "packages/coxswain/src/certs/certs.test.ts" },
    "coxswain certs rotate": { do: "see", test: "packages/coxswain/src/certs/certs.test.ts" },
    "coxswain store check": { do: "type", replace: { "/var/lib/coxswain": "data" } },
    "coxswain apiserver --etcd-servers": { do: "check flags", because: "needs etcd; production.test.ts runs it" },
    "coxswain store backup": {
      do: "type",
      replace: { "/var/lib/coxswain": "data", "/backups": "backups", "$(date +%F)": "2026-01-31" },
    },
    "coxswain store restore": { do: "type", replace: { "/var/lib/coxswain": "data", "/backups": "backups" } },
    "apiVersion: apiserver.config.k8s.io/v1": {
      do: "start with",
      flag: "--encryption-provider-config",
      replace: { "<32 bytes in base64>": Buffer.alloc(32, 7).toString("base64") },
    },
    "keys() {": { do: "see", test: "packages/coxswain/src/apiserver/damaged-values.test.ts" },
    "everywhere ": { do: "see", test: "packages/coxswain/src/apiserver/damaged-values.test.ts" },
    'echo \'{"kind"': { do: "nothing", because: "it deletes what cannot be read; damaged-values.test.ts does so" },
  },
  "docs/operator.md": {
    "import { builtIn, type Manager }": { do: "check types" },
    "coxswain up --detach": {
      do: "check flags",
      because: "it runs until it is stopped; tutorial.test.ts types it in a project",
    },
    "coxswain operator build": {
      do: "check flags",
      because: "it needs Docker and a project; tutorial.test.ts types the rest",
    },
    "import type { CustomResource": { do: "check types" },
  },
  "docs/oracle.md": { "npm run tool -- oracle": { do: "nothing", because: "needs Go and minutes" } },
  "docs/production.md": {
    " clients, kubelets": { do: "nothing", because: "a diagram" },
    "useradd ": { do: "check flags", because: "needs root and systemd; npm run tool -- deploy types it" },
    "": { do: "see", test: "packages/coxswain/src/production.test.ts" },
  },
  "docs/real-nodes.md": {
    "$ sudo apt-get": {
      do: "check flags",
      because: "needs root and containerd; packages/coxswain/src/up/machines has its tests",
    },
    "coxswain kubelet": { do: "check flags", because: "needs containerd" },
    "coxswain node run": { do: "check flags", because: "needs root and containerd" },
  },
  "docs/service-proxy.md": { "$ coxswain proxy": { do: "check flags", because: "needs root and nft" } },
  "docs/storage.md": {
    "kubectl get storageclass": { do: "type" },
    "apiVersion: storage.k8s.io/v1": { do: "check objects" },
  },
  "docs/tutorial-api-server.md": { "": { do: "see", test: "tools/src/tutorial/api-server-tutorial.test.ts" } },
  "docs/tutorial-operator.md": { "": { do: "see", test: "tools/src/tutorial/tutorial.test.ts" } },
};
