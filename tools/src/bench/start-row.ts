import { execFileSync } from "node:child_process";
import { cpus, totalmem } from "node:os";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { etcdVersion, kubernetesVersion } from "../upstream/index.js";
import { watchOthers } from "./machine-load.js";
import type { RowRun } from "./runs.js";
import type { Line } from "./table.js";
import type { Topic } from "./topics.js";

const root = resolve(fileURLToPath(import.meta.url), "../../../..");

/** Where and of which build figures are: as of the start of this program, which measures what was built then. */
export const source: Pick<RowRun, "commit" | "machine" | "versions"> = {
  commit: execFileSync("git", ["describe", "--always", "--dirty", "--exclude=*"], {
    cwd: root,
    encoding: "utf8",
  }).trim(),
  machine: `${cpus().length} cores (${cpus()[0]?.model ?? "unknown"}), ${Math.round(totalmem() / 1e9)} GB, Node ${process.version}`,
  versions: `Kubernetes ${kubernetesVersion}, etcd ${etcdVersion}`,
};

export interface StartedRow {
  readonly row: string;
  readonly topic: Topic;
  /** The load average when the bench was started. */
  readonly average: number;
}

/** Begins a measurement; what is returned ends it. */
export function startRow({ row, topic, average }: StartedRow): (lines: readonly Line[]) => RowRun {
  const [others, began] = [watchOthers(), performance.now()];
  return (lines) => ({
    row,
    topic,
    date: new Date().toISOString(),
    ...source,
    load: { average, others: others() },
    seconds: Math.round((performance.now() - began) / 1000),
    lines,
  });
}
