import { humanDuration } from "@coxswain/apimachinery/time";
import { useSignal } from "@preact/signals";
import type { TimelineEntry } from "../contract/messages.js";
import { now } from "./app-state.js";
import { MomentButton } from "./moment-button.js";
import { ProblemBox } from "./problem-box.js";
import { keepLasting, objectHash, param } from "./route.js";
import { useFeed } from "./use-feed.js";

/** What happened, newest first: changes with who made them, rollouts, and events. */
export function TimelineView() {
  const search = useSignal("");
  const source = useSignal<"" | "event" | "change" | "rollout">("");
  const { state } = useFeed("timeline", { namespace: param("ns") }, "timeline");
  const wanted = search.value.toLowerCase();
  const entries = (state.value?.entries ?? []).filter(
    (entry) =>
      (source.value === "" || entry.source === source.value) &&
      `${entry.kind} ${entry.name} ${entry.who} ${entry.what}`.toLowerCase().includes(wanted),
  );
  return (
    <section class="timeline padded" aria-label="Timeline">
      <div class="toolbar">
        <h1>Timeline</h1>
        <input
          type="search"
          aria-label="Search in the timeline"
          placeholder="kind, name, user, field …"
          value={search.value}
          onInput={(event) => (search.value = event.currentTarget.value)}
        />
        <select
          aria-label="Show"
          value={source.value}
          onChange={(event) => (source.value = event.currentTarget.value as typeof source.value)}
        >
          <option value="">all</option>
          <option value="rollout">rollouts</option>
          <option value="change">changes</option>
          <option value="event">events</option>
        </select>
      </div>
      {state.value?.problem && <ProblemBox problem={state.value.problem} />}
      {state.value && state.value.note !== "" && <p class="muted">{state.value.note}</p>}
      {!state.value && <p class="muted">loading …</p>}
      {state.value && entries.length === 0 && <p class="empty">Nothing to show.</p>}
      <ol class="entries">
        {entries.map((entry, at) => (
          <Entry key={at} entry={entry} />
        ))}
      </ol>
    </section>
  );
}

const Entry = ({ entry }: { readonly entry: TimelineEntry }) => (
  <li class={`${entry.source} tone-border-${entry.tone}`}>
    <time dateTime={new Date(entry.at).toISOString()} title={new Date(entry.at).toISOString()}>
      {humanDuration(now.value - entry.at)}
    </time>
    <span class="what">
      <span class="muted">{entry.kind}</span>{" "}
      {entry.ref ? <a href={keepLasting(objectHash(entry.ref))}>{entry.name}</a> : <strong>{entry.name}</strong>}
      <span class="detail">{entry.what}</span>
    </span>
    <span class="who muted">
      <span>{entry.who}</span>
      {entry.revision !== "" && <MomentButton revision={entry.revision} />}
    </span>
  </li>
);
