import { describe, expect, it } from "vitest";
import { commandResult } from "./command-result.js";

const exit = (message: unknown): string =>
  JSON.stringify({
    status: "Failure",
    reason: "NonZeroExitCode",
    details: { causes: [{ reason: "Other" }, { reason: "ExitCode", message }] },
  });
const broken = (why: string) => ({
  code: 500,
  reason: "InternalError",
  message: `Internal error occurred: error stream protocol error: ${why}`,
});

const cases: { name: string; sent: string; want: object }[] = [
  {
    name: "it went well",
    sent: '{"metadata":{},"status":"Success","code":200}',
    want: { metadata: {}, status: "Success" },
  },
  {
    name: "it ended with a number",
    sent: exit("3"),
    want: {
      metadata: {},
      status: "Failure",
      message: "command terminated with non-zero exit code: command terminated with exit code 3",
      reason: "NonZeroExitCode",
      details: { causes: [{ reason: "ExitCode", message: "3" }] },
    },
  },
  {
    name: "it could not begin",
    sent: '{"status":"Failure","message":"no such file"}',
    want: { code: 500, reason: "InternalError", message: "Internal error occurred: no such file" },
  },
  { name: "neither one nor the other", sent: '{"status":"Maybe"}', want: broken("unknown error") },
  {
    name: "a number without details",
    sent: '{"status":"Failure","reason":"NonZeroExitCode"}',
    want: broken("details must be set"),
  },
  {
    name: "details without the number",
    sent: '{"status":"Failure","reason":"NonZeroExitCode","details":{}}',
    want: broken("no ExitCode cause given"),
  },
  { name: "no number", sent: exit("many"), want: broken('invalid exit code value "many"') },
  { name: "a number that is none of a process", sent: exit("256"), want: broken('invalid exit code value "256"') },
];

describe("how a command ended", () => {
  for (const { name, sent, want } of cases) {
    it(name, () => {
      expect(commandResult(sent, "v4.channel.k8s.io")).toMatchObject(want);
      expect(commandResult(sent, "v5.channel.k8s.io")).toMatchObject(want);
    });
  }
  it("in something else than JSON", () =>
    expect(commandResult("oops", "v4.channel.k8s.io").message).toMatch(
      /^Internal error occurred: error stream protocol error: .* in "oops"$/,
    ));
  it("before v4 any text is a failure", () =>
    expect(commandResult("exit 1", "v3.channel.k8s.io")).toMatchObject({
      code: 500,
      message: "Internal error occurred: error executing remote command: exit 1",
    }));
});
