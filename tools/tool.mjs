// npm run tool|record|bench -- NAME [arguments]: builds what the command needs and runs it. Without a name, `tool` lists them all.
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { benches, recorders, tools } from "./tool-table.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

function run(command, args, environment = {}) {
  const done = spawnSync(command, args, { cwd: root, stdio: "inherit", env: { ...process.env, ...environment } });
  if (done.error) throw done.error;
  if (done.status !== 0) process.exit(done.status ?? 1);
}

const node = (...args) => run(process.execPath, args);

function runTool(tool, args) {
  if (tool.vitest && tool.build === "everything") node(join(root, "tools/fresh.mjs"), "build");
  if (tool.vitest)
    return run(join(root, "node_modules/.bin/vitest"), ["run", ...tool.vitest, ...args], tool.environment);
  if (tool.build === "tools") run(join(root, "node_modules/.bin/tsc"), ["-b", "tools"]);
  else node(join(root, "tools/fresh.mjs"), "build");
  if (tool.project) run(join(root, "node_modules/.bin/tsc"), ["-b", tool.project]);
  const script = tool.script ?? (tool.project ? `${tool.project}/dist/main.js` : `tools/dist/${tool.module}`);
  node(...(tool.flags ?? []), join(root, script), ...args);
}

function list(of) {
  const width = Math.max(...of.map(({ name }) => name.length)) + 2;
  for (const { name, what, needs } of of) console.log(`  ${name.padEnd(width)}${what}${needs ? ` [${needs}]` : ""}`);
}

const [group, ...given] = process.argv.slice(2);
const table = { tool: tools, record: recorders, bench: benches }[group];
const named = table.find(({ name }) => name === given[0]);
if (named) runTool(named, given.slice(1));
else if (group !== "tool" && !(given[0] && /^[a-z]/.test(given[0]) && !/[./]/.test(given[0]))) runTool(table[0], given);
else {
  if (given[0]) console.error(`There is no ${group} "${given[0]}".\n`);
  console.log(`npm run ${group} -- NAME [arguments]\n`);
  list(table);
  process.exit(given[0] ? 2 : 0);
}
