import { humanDuration } from "@coxswain/apimachinery/time";
import type { EventLine } from "../contract/messages.js";
import { now } from "./app-state.js";
import { Heads } from "./heads.js";

/** Events, the newest first. */
export function Events({ lines, isLoading }: { readonly lines: readonly EventLine[]; readonly isLoading: boolean }) {
  if (lines.length === 0) return <p class="muted">{isLoading ? "loading …" : "None in the last hour."}</p>;
  return (
    <table class="plain stacked">
      <Heads titles={["Age", "Type", "Reason", "Object", "Message"]} />
      <tbody>
        {lines.slice(0, 100).map(({ at, type, reason, message, count, about }, index) => (
          <tr key={index}>
            <td>{humanDuration(now.value - at)}</td>
            <td class={type === "Warning" ? "tone-bad" : ""}>{type}</td>
            <td>{reason}</td>
            <td>{`${about.kind ?? ""}/${about.name ?? ""}`}</td>
            <td class="whole">
              {message}
              {count > 1 && <span class="muted"> ×{count}</span>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
