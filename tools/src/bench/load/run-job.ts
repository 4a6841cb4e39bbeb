import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Job, RequestsJob, RequestsResult, WatchJob, WatchResult } from "./job.js";

const program = fileURLToPath(new URL("./main.js", import.meta.url));

/** Runs a job in a process of its own, so that measuring costs the measured nothing but CPU, and no more threads than it must. Aborting kills it. */
export function runJob(job: RequestsJob, signal: AbortSignal): Promise<RequestsResult>;
export function runJob(job: WatchJob, signal: AbortSignal): Promise<WatchResult>;
export function runJob(job: Job, signal: AbortSignal): Promise<RequestsResult | WatchResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ["--v8-pool-size=1", program], {
      stdio: ["pipe", "pipe", "pipe"],
      signal,
      killSignal: "SIGKILL",
    });
    let output = "";
    let errors = "";
    child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) resolve(JSON.parse(output) as RequestsResult | WatchResult);
      else reject(new Error(`the load client failed:\n${errors.slice(-2000)}`));
    });
    child.stdin.end(JSON.stringify(job));
  });
}
