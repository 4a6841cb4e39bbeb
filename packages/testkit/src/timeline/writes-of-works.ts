import { attributeWrite, type RecordedWork, writeFacts, writerOf } from "@coxswain/client/work";
import type { LogEntry } from "@coxswain/storage/memory";

/** Pure: the revisions that each reconcile wrote, as far as that is certain. */
export function writesOfWorks(
  log: readonly LogEntry[],
  works: readonly RecordedWork[],
): ReadonlyMap<RecordedWork, readonly number[]> {
  const byWriter = new Map<string, RecordedWork[]>();
  for (const work of works) {
    const known = byWriter.get(work.writer);
    if (known) known.push(work);
    else byWriter.set(work.writer, [work]);
  }
  const found = new Map<RecordedWork, number[]>();
  for (const { key, revision, value, note } of log) {
    const writer = writerOf(note?.user);
    if (writer === undefined) continue;
    const running = (byWriter.get(writer) ?? []).filter(
      ({ beganAfter, endedAfter = Number.POSITIVE_INFINITY }) => beganAfter < revision && revision <= endedAfter,
    );
    const { certainty, works: [work] = [] } =
      attributeWrite(
        writeFacts(key, () => parse(value)),
        running,
      ) ?? {};
    if (!work || certainty !== "exact") continue;
    const revisions = found.get(work);
    if (revisions) revisions.push(revision);
    else found.set(work, [revision]);
  }
  return found;
}

function parse(value: Uint8Array | undefined): unknown {
  try {
    return value && JSON.parse(new TextDecoder().decode(value));
  } catch {
    return undefined; // encrypted, or in another form
  }
}
