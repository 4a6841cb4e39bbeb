import { isEmpty } from "../rules/rule-changes.js";
import type { RuleState } from "../rules/rule-state.js";
import { wordsOf } from "../rules/table-settings.js";
import { writeChanges, writeTable } from "../rules/transaction.js";
import type { RuleSource } from "./rule-sync.js";
import type { Nft } from "./run-nft.js";

/** The table of services of one family. What is there is read before everything is written, so that clients with affinity are kept. */
export function serviceSource(state: RuleState, nft: Nft): RuleSource {
  return {
    writeChanges() {
      const changes = state.planChanges();
      return isEmpty(changes) ? "" : writeChanges(state.settings, changes);
    },
    async writeAll(isFresh) {
      const { table } = wordsOf(state.settings.family);
      const existing = isFresh ? undefined : await nft.list(table).catch(() => undefined);
      return writeTable(state.settings, state.planAll(existing), existing);
    },
    applied: () => state.applied(),
    get hasLeftovers() {
      return state.hasLeftovers;
    },
  };
}
