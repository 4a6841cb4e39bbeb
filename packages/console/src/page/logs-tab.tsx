import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { KubernetesValue, LogLine, LogState, ObjectRef } from "../contract/messages.js";
import { Check } from "./fields.js";
import { ProblemBox } from "./problem-box.js";
import { rowHeight } from "./row-window.js";
import { useFeed } from "./use-feed.js";

const lineHeight = 18;
const shownLines = 400;

/** The logs of all pods of a workload in one, followed through rollouts. */
export function LogsTab({ objectRef, object }: { readonly objectRef: ObjectRef; readonly object: KubernetesValue }) {
  const search = useSignal("");
  const container = useSignal("");
  const previous = useSignal(false);
  const follow = useSignal(true);
  const from = useSignal(0);
  const scroller = useRef<HTMLDivElement>(null);
  const query = {
    namespace: objectRef.namespace,
    owner: objectRef,
    container: container.value,
    previous: previous.value,
    search: search.value,
    from: from.value,
    count: shownLines,
    follow: follow.value,
  };
  const { state } = useFeed("logs", query, JSON.stringify(objectRef));
  const log = state.value;
  useEffect(() => {
    const element = scroller.current;
    if (element && follow.value) element.scrollTop = element.scrollHeight;
  }, [log]);
  const onScroll = (): void => {
    const element = scroller.current;
    if (!element) return;
    follow.value = element.scrollTop + element.clientHeight >= element.scrollHeight - rowHeight;
    if (!follow.value) from.value = Math.max(0, Math.floor(element.scrollTop / lineHeight) - 100);
  };
  return (
    <div class="logs">
      <div class="toolbar">
        <input
          type="search"
          aria-label="Search in the log"
          placeholder="search"
          value={search.value}
          onInput={(event) => (search.value = event.currentTarget.value)}
        />
        <ContainerChoice object={object} chosen={container.value} onChoose={(name) => (container.value = name)} />
        <Check label="previous" value={previous} />
        <Check label="follow" value={follow} />
        <span class="muted" role="status">
          {log
            ? `${log.total.toLocaleString("en")} lines of ${log.pods.length} ${log.pods.length === 1 ? "pod" : "pods"}`
            : "loading …"}
        </span>
      </div>
      {log?.problem && <ProblemBox problem={log.problem} />}
      <div
        class="log-lines"
        ref={scroller}
        onScroll={onScroll}
        tabIndex={0}
        role="log"
        aria-label="Log lines"
        aria-live="off"
      >
        {log && <Lines log={log} isSearch={search.value !== ""} />}
      </div>
    </div>
  );
}

const Lines = ({ log, isSearch }: { readonly log: LogState; readonly isSearch: boolean }) => (
  <>
    <div style={{ height: `${log.total * lineHeight}px` }}>
      <div style={{ transform: `translateY(${log.from * lineHeight}px)` }}>
        {log.lines.map((line, at) => (
          <Line key={at} line={line} showsPod={log.pods.length > 1} />
        ))}
      </div>
    </div>
    {log.total === 0 && !log.problem && (
      <p class="empty">{isSearch ? "No line matches." : "Nothing was written yet."}</p>
    )}
  </>
);

const Line = ({ line, showsPod }: { readonly line: LogLine; readonly showsPod: boolean }) => (
  <div class="log-line">
    <span class="muted">{line.at.slice(11, 23)}</span>
    {showsPod && <span class={`pod-${line.color}`}>{line.pod}</span>}
    <span class="text">{line.text}</span>
  </div>
);

function ContainerChoice({
  object,
  chosen,
  onChoose,
}: {
  readonly object: KubernetesValue;
  readonly chosen: string;
  readonly onChoose: (name: string) => void;
}) {
  const spec = object.kind === "Pod" ? object["spec"] : object["spec"]?.template?.spec;
  const names: string[] = [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])].map(
    ({ name }: { name: string }) => name,
  );
  if (names.length < 2) return null;
  return (
    <select aria-label="Container" value={chosen} onChange={(event) => onChoose(event.currentTarget.value)}>
      <option value="">default container</option>
      {names.map((name) => (
        <option key={name}>{name}</option>
      ))}
    </select>
  );
}
