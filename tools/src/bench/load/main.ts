// The load client's process: a job as JSON on standard input, its result as JSON on standard output.
import { constants, setPriority } from "node:os";
import { text } from "node:stream/consumers";
import type { Job } from "./job.js";
import { runRequests } from "./requests.js";
import { runWatch } from "./watch.js";

const job = JSON.parse(await text(process.stdin)) as Job;
if (job.kind === "requests" && job.isUrgent) hurry();
const result = job.kind === "requests" ? await runRequests(job) : await runWatch(job);
process.stdout.write(JSON.stringify(result), () => process.exit(0));

function hurry(): void {
  try {
    setPriority(constants.priority.PRIORITY_HIGHEST);
  } catch {
    // Only root may; then figures are a little worse, for both servers.
  }
}
