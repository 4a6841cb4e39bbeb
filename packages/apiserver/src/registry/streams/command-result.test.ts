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

const cases: { name: string; said: string; told: object }[] = [
  {
    name: "it went well",
    said: '{"metadata":{},"status":"Success","code":200}',
    told: { metadata: {}, status: "Success" },
  },
  {
    name: "it ended with a number",
    said: exit("3"),
    told: {
      metadata: {},
      status: "Failure",
      message: "command terminated with non-zero exit code: command terminated with exit code 3",
      reason: "NonZeroExitCode",
      details: { causes: [{ reason: "ExitCode", message: "3" }] },
    },
  },
  {
    name: "it could not begin",
    said: '{"status":"Failure","message":"no such file"}',
    told: { code: 500, reason: "InternalError", message: "Internal error occurred: no such file" },
  },
  { name: "neither one nor the other", said: '{"status":"Maybe"}', told: broken("unknown error") },
  {
    name: "a number without details",
    said: '{"status":"Failure","reason":"NonZeroExitCode"}',
    told: broken("details must be set"),
  },
  {
    name: "details without the number",
    said: '{"status":"Failure","reason":"NonZeroExitCode","details":{}}',
    told: broken("no ExitCode cause given"),
  },
  { name: "no number", said: exit("many"), told: broken('invalid exit code value "many"') },
  { name: "a number that is none of a process", said: exit("256"), told: broken('invalid exit code value "256"') },
];

describe("how a command ended", () => {
  for (const { name, said, told } of cases) {
    it(name, () => {
      expect(commandResult(said, "v4.channel.k8s.io")).toMatchObject(told);
      expect(commandResult(said, "v5.channel.k8s.io")).toMatchObject(told);
    });
  }
  it("in something else than JSON", () =>
    expect(commandResult("oops", "v4.channel.k8s.io").message).toMatch(
      /^Internal error occurred: error stream protocol error: .* in "oops"$/,
    ));
  it("before v4 whatever is said is a failure", () =>
    expect(commandResult("exit 1", "v3.channel.k8s.io")).toMatchObject({
      code: 500,
      message: "Internal error occurred: error executing remote command: exit 1",
    }));
});
