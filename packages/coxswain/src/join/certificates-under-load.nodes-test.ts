import { runProgram } from "@coxswain/tools/clients";
import { expect, it } from "vitest";
import { watchRotation } from "./watch-rotation.test.support.js";

/** Set by the command: it takes as long. */
const minutes = Number(process.env["COXSWAIN_CERTIFICATE_MINUTES"] ?? 12);

it("a joined node lives on certificates of five minutes, checked by the API server, without a failed request", {
  timeout: (minutes + 5) * 60_000,
}, async () => {
  await runProgram("ip", ["link", "set", "lo", "up"]); // as on every machine
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  expect(await watchRotation({ minutes, duration: "5m", print })).toEqual([]);
});
