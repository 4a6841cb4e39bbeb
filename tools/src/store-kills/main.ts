// npm run tool -- store-kills: see `usage`.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { killStore } from "./kill-store.js";

const usage = `npm run tool -- store-kills [flags]

Runs upstream's kube-apiserver on "coxswain store serve" in etcd's place, and kills the store with SIGKILL, at moments that the seed
chooses, while objects are created. Every create that was acknowledged must be there at the end, once, as it was written.

  --kills N    how often (default 10)
  --seed N     (default 1)
`;

const { values: options } = parseArgs({
  options: {
    kills: { type: "string", default: "10" },
    seed: { type: "string", default: "1" },
    help: { type: "boolean", default: false },
  },
});

if (options.help) process.stdout.write(usage);
else {
  const folder = mkdtempSync(join(tmpdir(), "coxswain-store-kills-"));
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  const { acknowledged, problems } = await killStore({
    folder,
    kills: Number(options.kills),
    seed: Number(options.seed),
    print,
  });
  for (const problem of problems) print(problem);
  print(`${options.kills} kills, ${acknowledged} acknowledged creates, ${problems.length} lost or wrong`);
  if (problems.length === 0) rmSync(folder, { recursive: true });
  else print(`logs are in ${folder}`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
