// npm run bench -- engines: the engines' own benches, each in units of a JSON.parse in the same run.
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "../../..");
const benches = [
  "apimachinery/bench/json.mjs",
  "apimachinery/bench/protobuf.mjs",
  "apimachinery/bench/selector.mjs",
  "apimachinery/bench/managed-fields.mjs",
  "api/bench/link-types.mjs",
];

for (const bench of benches) {
  console.log(`\n${bench}`);
  const { status } = spawnSync(process.execPath, [join(root, "packages", bench)], { stdio: "inherit" });
  if (status !== 0) process.exitCode = 1;
}
