import { humanDuration } from "@coxswain/apimachinery/time";
import { useSignal } from "@preact/signals";
import type { KubernetesValue, ObjectRef, ResourceInfo, TimelineEntry } from "../contract/messages.js";
import { replaceAction, restoreAction } from "./actions.js";
import { app, now } from "./app-state.js";
import { Button } from "./button.js";
import { openDialog } from "./dialogs-state.js";
import { Difference } from "./difference.js";
import { Heads } from "./heads.js";
import { ProblemBox } from "./problem-box.js";
import { setParams } from "./route.js";
import { useAttempt } from "./use-attempt.js";
import { useCall } from "./use-call.js";

interface ChangesProps {
  readonly info: ResourceInfo;
  readonly objectRef: ObjectRef;
  /** Undefined: it is gone. */
  readonly object: KubernetesValue | undefined;
}

/** Who changed the object, when, and what; with the difference to now, and the way back. */
export function ChangesTab({ objectRef, object }: ChangesProps) {
  const changes = useCall("changes", { ref: objectRef }, object?.metadata?.resourceVersion ?? "");
  const chosen = useSignal<
    { readonly entry: TimelineEntry; readonly before: string; readonly after: string } | undefined
  >(undefined);
  const { problem, attempt } = useAttempt();
  const read = (at: string) => app().worker.call("get", { ref: objectRef, at });
  const compare = async (entry: TimelineEntry): Promise<void> => {
    const [then, current] = await Promise.all([read(entry.revision), object ? read("") : undefined]);
    chosen.value = { entry, before: then.yaml, after: current?.yaml ?? "" };
  };
  const restore = async (entry: TimelineEntry): Promise<void> => {
    const { value } = await read(entry.revision);
    const { managedFields: _, ...metadata } = value.metadata ?? {};
    const { status: __, ...rest } = value;
    const resourceVersion = object?.metadata?.resourceVersion;
    const restored = object
      ? replaceAction(objectRef, { ...rest, metadata: { ...metadata, resourceVersion } })
      : restoreAction(objectRef, value);
    const action = { ...restored, title: `Restore revision ${entry.revision} of` };
    openDialog({ kind: "action", actions: [{ action, ref: objectRef }] });
  };
  if (changes.problem) return <ProblemBox problem={changes.problem} />;
  return (
    <div class="changes">
      {problem.value && <ProblemBox problem={problem.value} />}
      <ChangesTable
        entries={changes.value ?? []}
        onCompare={(entry) => void attempt(() => compare(entry))}
        onRestore={(entry) => void attempt(() => restore(entry))}
      />
      {changes.value?.length === 0 && <p class="empty">No changes are kept of it.</p>}
      {chosen.value && (
        <section>
          <h2>From revision {chosen.value.entry.revision} to now</h2>
          <Difference before={chosen.value.before} after={chosen.value.after} label="Changes since then" />
        </section>
      )}
    </div>
  );
}

interface ChangesTableProps {
  readonly entries: readonly TimelineEntry[];
  readonly onCompare: (entry: TimelineEntry) => void;
  readonly onRestore: (entry: TimelineEntry) => void;
}

const ChangesTable = ({ entries, onCompare, onRestore }: ChangesTableProps) => (
  <table class="plain stacked">
    <Heads titles={["Revision", "Age", "Who", "What", ""]} />
    <tbody>
      {entries.map((entry) => (
        <tr key={entry.revision}>
          <td>{entry.revision}</td>
          <td class="short">{humanDuration(now.value - entry.at)}</td>
          <td class="who">{entry.who}</td>
          <td class="whole">{entry.what}</td>
          <td class="row-buttons whole">
            {entry.tone !== "warn" && (
              <Button class="quiet" onClick={() => setParams({ tab: "why", revision: entry.revision })}>
                Why
              </Button>
            )}
            <Button class="quiet" onClick={() => onCompare(entry)}>
              Compare with now
            </Button>
            <Button class="quiet" onClick={() => setParams({ at: entry.revision, tab: "" })}>
              See then
            </Button>
            {!app().cluster.readOnly && !entry.what.startsWith("Deleted") && (
              <Button class="quiet" onClick={() => onRestore(entry)}>
                Restore
              </Button>
            )}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);
