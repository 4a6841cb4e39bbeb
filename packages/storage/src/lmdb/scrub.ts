import type { Environment, Writer } from "./environment.js";
import { ChangeReader, isHeadWhole } from "./log-record.js";
import type { MaintenanceStep, MaintenanceTask } from "./maintenance-task.js";
import { lastSub, type Position } from "./position.js";
import type { StoreMeta } from "./store-meta.js";

const changesPerStep = 128;

/** Opening reads the log from the checkpoint on: a deletion that it still needs must stay. */
const scrubbable = ({ compacted, checkpoint }: Pick<StoreMeta, "compacted" | "checkpoint">): number =>
  Math.min(compacted, checkpoint);

/**
 * Removes what compaction has made superfluous: for every change up to the compaction, the one it replaced, and the change
 * itself if it is a deletion. Freed pages are used again by later writes, so the file stops growing.
 */
export class Scrub implements MaintenanceTask {
  readonly #env: Environment;

  constructor(env: Environment) {
    this.#env = env;
  }

  due({ scrubbed, compacted, checkpoint }: StoreMeta): boolean {
    return scrubbed.revision < scrubbable({ compacted, checkpoint }) || scrubbed.sub !== lastSub;
  }

  step(writer: Writer, meta: StoreMeta): MaintenanceStep {
    const upTo = scrubbable(meta);
    const { revision, sub } = meta.scrubbed;
    const start = sub === lastSub ? { revision: revision + 1, sub: 0 } : { revision, sub: sub + 1 };
    const rows = this.#env.page({ start, end: { revision: upTo + 1, sub: 0 }, limit: changesPerStep });
    let { changes } = meta;
    const remove = (position: Position): void => {
      writer.removeChange(position);
      changes -= 1;
    };
    for (const { position, bytes } of rows) {
      // What a damaged change replaced is not known: it stays, and `coxswain store check` names the change.
      if (!isHeadWhole(bytes, position)) continue;
      const change = new ChangeReader(bytes);
      if (change.previous !== undefined) remove(change.previous);
      if (!change.isPut) remove(position);
    }
    const last = rows.at(-1)?.position;
    const scrubbed = rows.length < changesPerStep || last === undefined ? { revision: upTo, sub: lastSub } : last;
    return { changes: { scrubbed, changes }, done: () => undefined };
  }
}
