import { type Commit, CommittedLog } from "../history/committed-log.js";
import type { History } from "../history/operation.js";
import { checkOrder } from "./check-order.js";
import { checkReads } from "./check-reads.js";
import { checkWatches } from "./check-watches.js";
import { checkWrites } from "./check-writes.js";

/** Pure: what is wrong with what clients saw of what was committed, as sentences. */
export function checkHistory({ operations, watches }: History, commits: readonly Commit[]): string[] {
  const log = new CommittedLog(commits);
  const { problems, changes } = checkWrites(operations, log);
  return [
    ...problems,
    ...checkOrder(operations, log, changes),
    ...checkReads(operations, log),
    ...checkWatches(watches, log, changes),
  ];
}
