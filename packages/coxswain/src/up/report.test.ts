import { createLogger } from "@coxswain/component/log";
import { createVirtualClock } from "@coxswain/runtime/clock";
import { expect, it } from "vitest";
import { createLogReport } from "./report.js";

it("with a format for programs, what is ready is a line of JSON like all others", async () => {
  const clock = createVirtualClock();
  const lines: string[] = [];
  const log = createLogger({ clock, sink: (line) => void lines.push(line), level: "info", format: "json" });
  const report = createLogReport(log, clock);
  report.begin("API server");
  report.progress("API server, half way");
  await clock.advance(20);
  report.done("API server on https://127.0.0.1:6443");
  report.line("");
  report.line("\nCtrl-C stops it.");
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { level: "info", message: "API server on https://127.0.0.1:6443", ms: 20 },
    { level: "info", message: "Ctrl-C stops it." },
  ]);
});
