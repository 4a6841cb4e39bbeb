import type { Decision } from "./block-table.js";

/** In the text of a block; in two pieces here, because it is no import of this module. */
const typeOf = (module: string, name: string): string => ["import", `('@coxswain/${module}').${name}`].join("");
const declared: Readonly<Record<string, string>> = {
  client: typeOf("client", "Client"),
  clock: typeOf("runtime/clock", "Clock"),
  gates: typeOf("component/feature-gates", "FeatureGates"),
  runtime: typeOf("runtime", "Runtime"),
  random: typeOf("runtime", "Runtime['random']"),
};
const given = (...names: string[]): Decision => ({
  do: "check types",
  before: names.map((name) => `declare const ${name}: ${declared[name]};\n`).join(""),
});
const checked: Decision = { do: "check types" };
const fragment: Decision = { do: "nothing", because: "a part of a program, which goes on from the block before it" };
const output: Decision = { do: "nothing", because: "what is printed" };

/** Of the packages' READMEs: `given` declares what a block takes from its reader. */
export const packageBlocks: Readonly<Record<string, Readonly<Record<string, Decision>>>> = {
  api: { "import type { Pod }": checked },
  apimachinery: { "import { parseLabelSelector }": checked },
  apiserver: { "import { systemRuntime }": checked, "import { createApiServer": checked },
  cel: { "import { createEnvironment": checked, "import { compileDeviceSelector": checked },
  client: {
    "import { connect }": checked,
    "import type { Client }": checked,
    "const { items": fragment,
    "const command": fragment,
  },
  cluster: { "import { clusterFeatureGates": checked },
  component: { "import { createLogger": given("clock", "random") },
  controllers: { "import { allControllers": given("client", "gates", "runtime") },
  coxswain: { "npx coxswain apiserver": { do: "check flags", because: "they run until they are stopped" } },
  dns: { "import { startDns }": given("client", "runtime") },
  gateway: { "import { socketsOnly": given("client", "runtime") },
  kinds: {
    "import { builtInKinds }": {
      do: "check types",
      before:
        "declare const pod: import('@coxswain/api/core/v1').Pod & Record<string, any>;\ndeclare const context: any;\n",
    },
  },
  kubelet: {
    "import { startNodes }": {
      do: "check types",
      before: `declare const client: ${declared["client"]};\ndeclare const clientOf: (user: string) => typeof client;\n`,
    },
  },
  machines: {
    "import { cleanSite": {
      do: "check types",
      before: `declare const runtime: ${declared["runtime"]};\ndeclare const folder: string, launcher: string, flags: string[], containerd: any;\n`,
    },
  },
  operator: {
    "import { builtIn }": checked,
    "import { apply": { do: "see", test: "tools/src/tutorial/tutorial.test.ts" },
    "const cluster": fragment,
    "manager.webhook": fragment,
  },
  proxy: { "import { checkedConfig": given("client", "runtime"), "map frontends": output },
  runtime: { "import { type Runtime": checked },
  scheduler: { "import { startScheduler }": given("client", "gates", "runtime") },
  storage: {
    "import { systemRuntime }": {
      do: "check types",
      before: "declare const value: Uint8Array, signal: AbortSignal;\n",
    },
    describeKeyValueStore: fragment,
    "npm run bench": { do: "nothing", because: "needs minutes" },
  },
  testkit: {
    "import { withCluster }": {
      do: "check types",
      before:
        'import { expect, it } from "vitest";\ndeclare const deployment: import("@coxswain/api/apps/v1").Deployment;\n',
    },
    "cluster.faults": fragment,
    "await exploreSchedules": fragment,
    "repeat: ": output,
    "the test failed": output,
  },
  wire: { "import { createGrpcClient": given("clock", "random") },
};
