// npm run runtimes: tools/runtimes/smoke.mjs on a server of ours, in Node and, where npm can install them, in Bun and Deno.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { cacheDirectory } from "@coxswain/tools/upstream";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "../..");
const installed = join(cacheDirectory(), "runtimes");
const folder = mkdtempSync(join(tmpdir(), "coxswain-runtimes-"));
const token = "smoke-token";
writeFileSync(join(folder, "tokens.csv"), `${token},smoke,smoke,"system:masters"\n`);
const server = spawn(
  process.execPath,
  [
    join(root, "packages/coxswain/bin/coxswain.js"),
    "apiserver",
    ...["--data-dir", join(folder, "data"), "--storage", "memory", "--secure-port", "0"],
    ...["--token-auth-file", join(folder, "tokens.csv")],
  ],
  { stdio: ["ignore", "pipe", "inherit"] },
);
let greeting = "";
server.stdout.on("data", (text) => (greeting += text));
while (!greeting.includes("Ctrl-C")) await sleep(20);
const url = /https:\S+/.exec(greeting)?.[0] ?? "";
const kubeconfig = readFileSync(join(folder, "data/kubeconfig"), "utf8");
const ca = join(folder, "ca.crt");
writeFileSync(ca, Buffer.from(/certificate-authority-data: "?([^"\s]+)/.exec(kubeconfig)?.[1] ?? "", "base64"));

/** The program, installed by npm once; undefined where that is not possible. */
function install(name) {
  const program = join(installed, "node_modules/.bin", name);
  if (existsSync(program)) return program;
  mkdirSync(installed, { recursive: true });
  try {
    execFileSync("npm", ["install", "--prefix", installed, "--no-audit", "--no-fund", name], { stdio: "ignore" });
    execFileSync("npm", ["rebuild", "--prefix", installed, "--ignore-scripts=false", name], { stdio: "ignore" });
  } catch {
    return undefined;
  }
  return existsSync(program) ? program : undefined;
}

const smoke = join(here, "smoke.mjs");
const runtimes = [
  { name: "node", program: process.execPath, args: [] },
  { name: "bun", program: install("bun"), args: ["run"] },
  {
    name: "deno",
    program: install("deno"),
    args: ["run", "--allow-net", "--allow-read", "--allow-env", `--cert=${ca}`],
  },
];
let failed = false;
for (const { name, program, args } of runtimes) {
  if (program === undefined) {
    console.error(`*** NOT TESTED: ${name}: npm could not install it ***`);
    continue;
  }
  try {
    const env = { ...process.env, NODE_EXTRA_CA_CERTS: ca };
    const out = execFileSync(program, [...args, smoke, url, token], { env, timeout: 60_000, encoding: "utf8" });
    console.log(`${name}: ${out.trim()}`);
  } catch (error) {
    failed = true;
    console.error(`${name}: failed: ${error.message}\n${error.stdout ?? ""}`);
  }
}
server.kill();
rmSync(folder, { recursive: true, force: true });
process.exitCode = failed ? 1 : 0;
