import { humanDuration } from "@coxswain/apimachinery/time";
import { useSignal } from "@preact/signals";
import type { QueueItem } from "../contract/messages.js";
import { app, now } from "./app-state.js";
import { Button } from "./button.js";
import { Heads } from "./heads.js";
import { MomentButton } from "./moment-button.js";
import { ProblemBox } from "./problem-box.js";
import { useFeed } from "./use-feed.js";

/** What controllers have in hand, what waits, what fails again and again, and what woke it. */
export function QueuesView() {
  const chosen = useSignal("");
  const { state } = useFeed("queues", {}, "queues");
  if (!app().cluster.hasHistory)
    return (
      <section class="padded" aria-label="Queues">
        <h1 class="padded-line">Queues</h1>
        <p class="empty">Only a server of this project reports the queues of its controllers; this one does not.</p>
      </section>
    );
  const queues = state.value?.queues ?? [];
  const items = (state.value?.items ?? []).filter(({ queue }) => chosen.value === "" || queue === chosen.value);
  return (
    <section class="padded queues" aria-label="Queues">
      <div class="toolbar">
        <h1>Queues</h1>
        <span class="muted">{queues.length}</span>
        {chosen.value !== "" && <Button onClick={() => (chosen.value = "")}>All queues</Button>}
      </div>
      {state.value?.problem && <ProblemBox problem={state.value.problem} />}
      {!state.value && <p class="muted">loading …</p>}
      <div class="columns">
        <div class="scroll" tabIndex={0} role="group" aria-label="Queues">
          <table class="plain stacked">
            <Heads titles={["Queue", "Running", "Waiting", "Retried", "Done", "Slowest"]} />
            <tbody>
              {queues.map(({ component, queue, running, waiting, failing, done, slowest }) => (
                <tr key={`${component} ${queue}`} class={queue === chosen.value ? "current" : ""}>
                  <th scope="row" class="whole">
                    <Button class="quiet" onClick={() => (chosen.value = queue)}>
                      {queue}
                    </Button>
                    <span class="muted component">{component}</span>
                  </th>
                  <td data-label="running" class={running > 0 ? "tone-ok" : "muted"}>
                    {running}
                  </td>
                  <td data-label="waiting" class={waiting > 0 ? "tone-warn" : "muted"}>
                    {waiting}
                  </td>
                  <td data-label="retried" class={failing > 0 ? "tone-bad" : "muted"}>
                    {failing}
                  </td>
                  <td data-label="done">{done}</td>
                  <td class="short" data-label="slowest">
                    {slowest} ms
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        <Items items={items} />
      </div>
    </section>
  );
}

const tones: Readonly<Record<string, string>> = { Running: "tone-ok", Waiting: "tone-warn" };

const Items = ({ items }: { readonly items: readonly QueueItem[] }) => (
  <div class="scroll" tabIndex={0} role="group" aria-label="Items">
    <table class="plain stacked">
      <Heads titles={["Age", "Item", "Queue", "State", "Took", "Retries", "Woken by"]} />
      <tbody>
        {items.map(({ queue, item, state, ms, retries, wokenBy, since }, at) => (
          <tr key={at}>
            <td class="short">{humanDuration(now.value - since)}</td>
            <td class="long">{item}</td>
            <td>{queue}</td>
            <td class={tones[state] ?? ""}>{state}</td>
            <td class="short">{state === "Done" ? `${ms} ms` : ""}</td>
            <td data-label="retries" class={retries > 0 ? "tone-bad" : "muted"}>
              {retries}
            </td>
            <td>{wokenBy !== "" && <MomentButton revision={wokenBy} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
    {items.length === 0 && <p class="muted">Nothing is in hand.</p>}
  </div>
);
