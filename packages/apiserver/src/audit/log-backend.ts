import type { AuditBackend, OnLost } from "./audit-backend.js";
import { eventJson } from "./audit-event.js";
import { legacyLine } from "./legacy-line.js";

/** Lines go here, in order. */
export interface LineWriter {
  /** Throws when they could not be written. */
  write(text: string): void;
  close(): void;
}

export type LogFormat = "json" | "legacy";

/** Writes a line for every event before the request goes on: nothing is served without being logged. */
export function createLogBackend(out: LineWriter, format: LogFormat, onLost: OnLost): AuditBackend {
  const lineOf = format === "json" ? eventJson : legacyLine;
  return {
    process(events) {
      try {
        out.write(events.map((event) => `${lineOf(event)}\n`).join(""));
        return true;
      } catch (err) {
        onLost("log", err, events);
        return false;
      }
    },
    stop() {
      out.close();
      return Promise.resolve();
    },
  };
}
