// `npm run generate` writes packages/api/src/gen from the published Kubernetes modules; `-- --check` only reports whether it would change.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const output = join(here, "../../packages/api/src/gen");

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

function go(args, options = {}) {
  const done = spawnSync("go", args, { cwd: here, encoding: "utf8", maxBuffer: 1 << 28, ...options });
  if (done.error) throw done.error;
  if (done.status !== 0) throw new Error(`go ${args[0]} failed: ${done.stderr || done.stdout}`);
  return done.stdout;
}

/** Directories of the modules in Go's cache; downloads what is missing unless GOPROXY=off is set. */
function moduleDirectories() {
  const wanted = Object.entries(modules).map(([path, version]) => `${path}@${version}`);
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

const files = JSON.parse(
  go(["run", ".", "-modules", JSON.stringify(moduleDirectories()), "-minor", kubernetes.split(".")[1]]),
);
const stale = filesBelow(output).filter((name) => !(name in files));
const changed = Object.keys(files).filter(
  (name) => !existsSync(join(output, name)) || readFileSync(join(output, name), "utf8") !== files[name],
);

if (process.argv.includes("--check")) {
  const differing = [...changed, ...stale].sort();
  if (differing.length > 0) {
    console.error(
      `packages/api/src/gen differs from Kubernetes ${kubernetes}: ${differing.join(", ")} would change. Run "npm run generate".`,
    );
    process.exit(1);
  }
  console.log(`packages/api/src/gen is up to date with Kubernetes ${kubernetes} (${Object.keys(files).length} files).`);
} else {
  for (const name of stale) rmSync(join(output, name));
  for (const name of changed) {
    mkdirSync(dirname(join(output, name)), { recursive: true });
    writeFileSync(join(output, name), files[name]);
  }
  console.log(`${changed.length} of ${Object.keys(files).length} files written, ${stale.length} removed.`);
}
