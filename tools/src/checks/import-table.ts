/** What every package may import: what every running thing is given. */
export const everybody: readonly string[] = ["runtime"];

/** What a composition may import: everything that runs in a cluster, and what it is made of. */
const components: readonly string[] = [
  "apimachinery",
  "api",
  "cel",
  "kinds",
  "storage",
  "wire",
  "component",
  "client",
  "apiserver",
  "controllers",
  "scheduler",
  "kubelet",
  "proxy",
  "dns",
  "gateway",
  "machines",
];

/**
 * What each package may import (DESIGN: a package is a room; what it may import is all it knows).
 * `tests`: what its tests may import besides.
 */
export const importTable: Record<string, { may: readonly string[]; tests?: readonly string[] }> = {
  runtime: { may: [] },
  apimachinery: { may: [] },
  api: { may: ["apimachinery"], tests: ["tools"] },
  cel: { may: ["apimachinery"], tests: ["tools"] },
  kinds: { may: ["apimachinery", "api", "cel"], tests: ["tools"] },
  wire: { may: [] },
  storage: { may: ["apimachinery", "wire"], tests: ["tools"] },
  client: { may: ["apimachinery", "api", "wire"], tests: ["tools", "apiserver", "storage"] },
  component: { may: ["apimachinery", "wire"] },
  machines: { may: ["component"] },
  apiserver: {
    may: ["apimachinery", "api", "cel", "kinds", "storage", "wire", "component", "client"],
    tests: ["tools"],
  },
  controllers: {
    may: ["apimachinery", "api", "client", "component", "cel"],
    tests: ["tools", "apiserver", "storage"],
  },
  scheduler: { may: ["apimachinery", "api", "client", "component", "cel"], tests: ["tools", "apiserver", "storage"] },
  kubelet: {
    may: ["apimachinery", "api", "kinds", "client", "component", "wire"],
    tests: ["tools", "apiserver", "storage"],
  },
  proxy: {
    may: ["apimachinery", "api", "client", "component", "wire"],
    tests: ["tools", "apiserver", "storage"],
  },
  dns: {
    may: ["apimachinery", "api", "client", "component", "wire"],
    tests: ["tools", "apiserver", "storage"],
  },
  gateway: {
    may: ["apimachinery", "api", "client", "component", "wire"],
    tests: ["tools", "apiserver", "storage"],
  },
  console: {
    may: ["apimachinery", "api", "client", "kinds", "cel", "wire", "component"],
    tests: ["tools", "apiserver", "storage"],
  },
  cluster: { may: components, tests: ["tools"] },
  testkit: { may: [...components, "cluster", "console"], tests: ["tools"] },
  "schema-types": { may: ["apimachinery", "api"], tests: ["tools", "client", "testkit"] },
  operator: {
    may: ["apimachinery", "api", "client", "component", "wire", "schema-types"],
    tests: ["tools", "apiserver", "storage", "testkit"],
  },
  coxswain: { may: [...components, "cluster", "testkit", "operator", "schema-types", "console"], tests: ["tools"] },
  tools: { may: ["wire", "apimachinery", "api", "component", "machines"] },
};

/** Packages that also run in a browser: no `node:` module, no Node global. */
export const browserPackages: readonly string[] = [
  "runtime",
  "apimachinery",
  "api",
  "cel",
  "kinds",
  "client",
  "console",
];

/** Folders of such packages that run only in Node. The rest of the package may not import them, nor packages that need Node. */
export const nodeFolders: Readonly<Record<string, string>> = {
  client: "packages/client/src/node/",
  console: "packages/console/src/relay/",
};
export const nodePackages: readonly string[] = ["wire", "storage", "component", "apiserver"];
