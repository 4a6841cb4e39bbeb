import type { LogLine, LogQuery } from "../contract/messages.js";

/** Lines that are kept; older ones go. */
const maxLines = 100_000;

/** Lines of several logs in the order of their time stamps, as far as they arrive in time. */
export class LogRing {
  readonly #lines: LogLine[] = [];
  #dropped = 0;

  add(line: LogLine): void {
    const lines = this.#lines;
    let at = lines.length;
    // Logs of several pods arrive one after the other at first: a line may belong before those of another pod.
    while (at > 0 && line.at !== "" && (lines[at - 1]?.at ?? "") > line.at) at--;
    if (at === lines.length) lines.push(line);
    else lines.splice(at, 0, line);
    if (lines.length > maxLines + 1000) {
      lines.splice(0, 1000);
      this.#dropped += 1000;
    }
  }

  window({ search, from, count, follow }: Pick<LogQuery, "search" | "from" | "count" | "follow">) {
    const wanted = search.toLowerCase();
    const found =
      wanted === ""
        ? this.#lines
        : this.#lines.filter(({ text, pod }) => `${pod} ${text}`.toLowerCase().includes(wanted));
    const start = follow ? Math.max(0, found.length - count) : Math.max(0, Math.min(from, found.length - count));
    return { lines: found.slice(start, start + count), from: start, total: found.length, dropped: this.#dropped };
  }
}
