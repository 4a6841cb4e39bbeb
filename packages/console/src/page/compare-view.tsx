import { useSignal } from "@preact/signals";
import { spanOf } from "../contract/filter.js";
import type { DifferenceLine, MomentDifference } from "../contract/messages.js";
import { app, now } from "./app-state.js";
import { Difference } from "./difference.js";
import { Check, Text } from "./fields.js";
import { ProblemBox } from "./problem-box.js";
import { keepLasting, objectHash, param, setParams } from "./route.js";
import { useAttempt } from "./use-attempt.js";

const words = { new: "new", gone: "gone", changed: "changed", status: "status only" } as const;
const tones = { new: "ok", gone: "bad", changed: "warn", status: "none" } as const;

/** What is new, gone or changed between two moments, object by object. */
export function CompareView() {
  const from = useSignal(param("from") || (app().cluster.hasHistory ? "1m" : ""));
  const to = useSignal(param("to"));
  const showsStatus = useSignal(false);
  const found = useSignal<FoundDifference | undefined>(undefined);
  const { isBusy, problem, attempt } = useAttempt();
  const compare = async (): Promise<void> => {
    const moments = { from: await revisionOf(from.value), to: await revisionOf(to.value) };
    setParams({ from: from.value, to: to.value }, true);
    const difference = await app().worker.call("compareMoments", { namespace: param("ns"), ...moments });
    found.value = { ...difference, ...moments };
  };
  const onSubmit = (event: Event): void => {
    event.preventDefault();
    void attempt(compare);
  };
  return (
    <section class="padded compare" aria-label="Compare">
      <form class="toolbar" onSubmit={onSubmit}>
        <h1>Compare</h1>
        <Text
          label="From"
          value={from}
          required
          placeholder={app().cluster.hasHistory ? "5m, or a revision" : "a revision"}
        />
        <Text label="To" value={to} placeholder="now" />
        <button type="submit" class="filled" disabled={isBusy.value}>
          Compare
        </button>
        <Check label="status too" value={showsStatus} />
      </form>
      {problem.value && <ProblemBox problem={problem.value} />}
      {isBusy.value && <p class="muted">Comparing …</p>}
      {!found.value && !isBusy.value && !problem.value && (
        <p class="muted">
          {app().cluster.hasHistory
            ? "Moments are spans such as 5m (ago), or revisions; nothing means now."
            : "Moments are revisions (resourceVersions) of the last minutes; nothing means now."}
        </p>
      )}
      {found.value && <Found found={found.value} showsStatus={showsStatus.value} />}
    </section>
  );
}

interface FoundDifference extends MomentDifference {
  readonly from: string;
  readonly to: string;
}

function Found({ found, showsStatus }: { readonly found: FoundDifference; readonly showsStatus: boolean }) {
  const lines = found.lines.filter(({ what }) => showsStatus || what !== "status");
  const hidden = found.lines.length - lines.length;
  return (
    <>
      <p role="status">
        {count(found.lines, "changed")} changed, {count(found.lines, "new")} new, {count(found.lines, "gone")} gone
        {hidden > 0 && <span class="muted">, {hidden} in their status alone</span>}
        {found.unread.length > 0 && <span class="muted">, not readable as of then: {found.unread.join(", ")}</span>}
      </p>
      <ul class="compared">
        {lines.map((line) => (
          <Line
            key={`${line.ref.resource} ${line.ref.namespace}/${line.ref.name} ${line.what}`}
            line={line}
            found={found}
          />
        ))}
      </ul>
    </>
  );
}

const count = (lines: readonly DifferenceLine[], what: DifferenceLine["what"]): number =>
  lines.filter((line) => line.what === what).length;

/** "": now. @throws CallError where the server has no such moment */
async function revisionOf(text: string): Promise<string> {
  const span = spanOf(text.trim());
  if (text.trim() === "" || span === undefined || /^\d+$/.test(text.trim())) return text.trim().replace(/^r/, "");
  return (await app().worker.call("moment", { time: new Date(now.value - span).toISOString() })).revision;
}

/** Every change has another one. */
const withoutRevision = (yaml: string): string => yaml.replace(/^ {2}resourceVersion: .*\n/m, "");

function Line({ line, found }: { readonly line: DifferenceLine; readonly found: FoundDifference }) {
  const texts = useSignal<{ readonly before: string; readonly after: string } | undefined>(undefined);
  const { problem, attempt } = useAttempt();
  const { ref, kind, what } = line;
  const open = async (): Promise<void> => {
    const read = async (at: string): Promise<string> =>
      withoutRevision((await app().worker.call("get", { ref, at })).yaml);
    const [before, after] = await Promise.all([
      what === "new" ? "" : read(found.from),
      what === "gone" ? "" : read(found.to),
    ]);
    texts.value = { before, after };
  };
  return (
    <li>
      <details onToggle={(event) => event.currentTarget.open && !texts.value && void attempt(open)}>
        <summary>
          <span class={`chip ${tones[what]}`}>{words[what]}</span> <span class="muted">{kind}</span>{" "}
          {ref.namespace === "" ? ref.name : `${ref.namespace}/${ref.name}`}
        </summary>
        {problem.value && <ProblemBox problem={problem.value} />}
        {texts.value && <Difference {...texts.value} label={`${kind} ${ref.name}`} />}
        <p>
          <a href={keepLasting(objectHash(ref, { at: what === "gone" ? found.from : "" }))}>Open</a>
        </p>
      </details>
    </li>
  );
}
