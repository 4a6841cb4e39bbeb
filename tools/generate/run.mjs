// `npm run generate` writes the twins of work in steps (at-once.mjs), then packages/api/src/gen and packages/kubelet/src/gen from the published Kubernetes modules; `-- --check` only reports whether it would change.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { writeTwins } from "./at-once.mjs";
import { writeTables } from "./protobuf.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const packages = join(here, "../../packages");

/** The version of Kubernetes that everything here speaks. A new minor is a change of this line and one run. */
const kubernetes = "v1.36.4";
const staging = kubernetes.replace(/^v1/, "v0");
const modules = {
  "k8s.io/api": staging,
  "k8s.io/apimachinery": staging,
  "k8s.io/apiextensions-apiserver": staging,
  "k8s.io/kube-aggregator": staging,
  "k8s.io/apiserver": staging,
  "k8s.io/component-base": staging,
  "k8s.io/client-go": staging,
  "k8s.io/controller-manager": staging,
  "k8s.io/kubernetes": kubernetes,
};

/** gRPC interfaces: a module, its version, where its .proto is, and the file that its tables are written to. */
const interfaces = [
  {
    module: "k8s.io/cri-api",
    version: staging,
    path: "pkg/apis/runtime/v1/api.proto",
    file: "cri.ts",
  },
  {
    module: "k8s.io/kubelet",
    version: staging,
    path: "pkg/apis/pluginregistration/v1/api.proto",
    file: "plugin-registration.ts",
  },
  {
    module: "github.com/container-storage-interface/spec",
    // As k8s.io/kubernetes' go.mod has it.
    version: "v1.9.0",
    path: "csi.proto",
    file: "csi.ts",
    services: ["Identity", "Node"],
  },
];

function go(args, options = {}) {
  const done = spawnSync("go", args, { cwd: here, encoding: "utf8", maxBuffer: 1 << 28, ...options });
  if (done.error) throw done.error;
  if (done.status !== 0) throw new Error(`go ${args[0]} failed: ${done.stderr || done.stdout}`);
  return done.stdout;
}

/** Directories of the modules in Go's cache; downloads what is missing unless GOPROXY=off is set. */
function moduleDirectories(versions) {
  const wanted = Object.entries(versions).map(([path, version]) => `${path}@${version}`);
  const records = JSON.parse(
    `[${go(["mod", "download", "-json", ...wanted], { cwd: "/" }).replaceAll(/^\}\n\{/gm, "},{")}]`,
  );
  return Object.fromEntries(records.map((record) => [record.Path, record.Dir]));
}

function filesBelow(directory) {
  if (!existsSync(directory)) return [];
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== "README.md")
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)));
}

/** Tables and types of the API. */
const apiFiles = () =>
  JSON.parse(
    go(["run", ".", "-modules", JSON.stringify(moduleDirectories(modules)), "-minor", kubernetes.split(".")[1]]),
  );

/** Tables of the interfaces that the kubelet speaks. */
function interfaceFiles() {
  const directories = moduleDirectories(Object.fromEntries(interfaces.map(({ module, version }) => [module, version])));
  return Object.fromEntries(
    interfaces.map(({ module, version, path, file, services }) => [
      file,
      writeTables(readFileSync(join(directories[module], path), "utf8"), `${module}@${version}/${path}`, services),
    ]),
  );
}

const isCheck = process.argv.includes("--check");
if (writeTwins({ check: isCheck }) && isCheck) {
  console.error('The twins of work in steps are not up to date. Run "npm run generate".');
  process.exitCode = 1;
}

const outputs = [
  { name: "api/src/gen", files: apiFiles() },
  { name: "kubelet/src/gen", files: interfaceFiles() },
].map(({ name, files }) => {
  const folder = join(packages, name);
  const stale = filesBelow(folder).filter((file) => !(file in files));
  const changed = Object.keys(files).filter(
    (file) => !existsSync(join(folder, file)) || readFileSync(join(folder, file), "utf8") !== files[file],
  );
  return { name: `packages/${name}`, folder, files, stale, changed };
});

for (const { name, folder, files, stale, changed } of outputs) {
  const count = Object.keys(files).length;
  if (!isCheck) {
    for (const file of stale) rmSync(join(folder, file));
    for (const file of changed) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), files[file]);
    }
    console.log(`${name}: ${changed.length} of ${count} files written, ${stale.length} removed.`);
  } else if (changed.length + stale.length > 0) {
    const differing = [...changed, ...stale].sort().join(", ");
    console.error(`${name} differs from Kubernetes ${kubernetes}: ${differing} would change. Run "npm run generate".`);
    process.exitCode = 1;
  } else console.log(`${name} is up to date with Kubernetes ${kubernetes} (${count} files).`);
}
