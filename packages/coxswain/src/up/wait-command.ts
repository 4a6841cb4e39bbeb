import { parseDurationMs } from "@coxswain/apimachinery/time";
import { defineFlags, FlagError, parseOnlyFlags } from "@coxswain/component/flags";
import { systemClock } from "@coxswain/runtime/clock";
import { pollUntil } from "@coxswain/runtime/wait";
import { clusterCommandFlags, showHelp } from "./cluster-command.js";
import { type ClusterContent, readContent } from "./cluster-content.js";
import { type ClusterChoice, choiceWords, clusterFolder } from "./cluster-home.js";
import { isRunning, readState } from "./cluster-state.js";

const waitFlags = defineFlags({
  ...clusterCommandFlags,
  timeout: { group: "Cluster", type: "string", default: "60s", value: "duration", help: "Give up after this time." },
  pods: { group: "Cluster", type: "boolean", help: "Wait until all pods run or are done, too." },
});

/** How long one look waits for the next. */
const intervalMs = 200;

export async function runWait(args: readonly string[]): Promise<number> {
  const parsed = parseOnlyFlags(waitFlags, args);
  if (parsed.kind === "help")
    return showHelp(
      "wait",
      "Waits until a cluster answers and all its nodes are ready. Ends with 1 when that takes longer than --timeout.",
      waitFlags,
    );
  const { timeout, pods = false } = parsed.options;
  const timeoutMs = parseDurationMs(timeout);
  if (timeoutMs === undefined || timeoutMs < 0)
    throw new FlagError(`--timeout must be a duration such as 30s or 2m, not ${JSON.stringify(timeout)}`);
  const folder = clusterFolder(parsed.options);
  let missing = "it was not started";
  const isReady = async (): Promise<boolean> => {
    missing = await whatIsMissing(parsed.options, pods);
    return missing === "";
  };
  if (await pollUntil(isReady, { intervalMs, timeoutMs, clock: systemClock })) return 0;
  process.stderr.write(`coxswain wait: after ${timeout} the cluster in ${folder} is not ready: ${missing}\n`);
  return 1;
}

/** Empty when all is there. */
async function whatIsMissing(choice: ClusterChoice, withPods: boolean): Promise<string> {
  const state = readState(clusterFolder(choice));
  if (!state || !isRunning(state)) return `it does not run; "coxswain up${choiceWords(choice)} --detach" starts it`;
  try {
    return missingOf(await readContent(state), withPods);
  } catch (error) {
    return `the API server does not answer: ${(error as Error).message}`;
  }
}

function missingOf({ nodes, pods }: ClusterContent, withPods: boolean): string {
  if (nodes.ready < nodes.all) return `${nodes.ready} of ${nodes.all} nodes are ready`;
  return withPods && pods.settled < pods.all ? `${pods.settled} of ${pods.all} pods run or are done` : "";
}
