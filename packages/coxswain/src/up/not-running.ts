import { readdirSync } from "node:fs";
import { join } from "node:path";
import { type ClusterChoice, choiceWords, clustersFolder } from "./cluster-home.js";
import { isRunning, readState } from "./cluster-state.js";

/** What to do about a cluster that does not run: start it, or name one that does. */
export function notRunning(choice: ClusterChoice, flags = ""): string {
  const others = runningClusters().filter((name) => name !== choice.name);
  const instead =
    others.length > 0 ? `; ${others.map((name) => `"--name ${name}"`).join(", ")} would be one that does` : "";
  return `the cluster ${choice.dataDir ?? choice.name} does not run; "coxswain up${choiceWords(choice)}${flags}" starts it${instead}\n`;
}

/** Names of clusters below $COXSWAIN_HOME whose processes run. Folders that cannot be read have none. */
function runningClusters(): string[] {
  const root = clustersFolder();
  const isUp = (name: string): boolean => {
    try {
      const state = readState(join(root, name));
      return state !== undefined && isRunning(state);
    } catch {
      return false;
    }
  };
  try {
    return readdirSync(root).filter(isUp).sort();
  } catch {
    return []; // no cluster was ever started
  }
}
