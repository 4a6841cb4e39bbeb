import { afterEach, describe, expect, it, vi } from "vitest";
import { withoutEngineOutput } from "./engine-output.js";

describe("what the engine prints while it commits", () => {
  afterEach(() => vi.restoreAllMocks());
  const engineError = (): Error => Object.assign(new Error("Input/output error"), { code: 5 });
  const cases = [
    { name: "its own error is not printed: the commit is rejected with it", printed: [engineError()], shown: 0 },
    { name: "an error of Node is printed", printed: [Object.assign(new Error("x"), { code: "ENOSPC" })], shown: 1 },
    { name: "words are printed", printed: ["something else", engineError()], shown: 1 },
  ];
  for (const { name, printed, shown } of cases)
    it(name, async () => {
      const print = vi.spyOn(console, "error").mockImplementation(() => {});
      const before = console.error;
      const commit = withoutEngineOutput(async () => {
        await Promise.resolve();
        console.error(...printed);
        throw new Error("rejected");
      });
      await expect(commit).rejects.toThrow("rejected");
      expect(print).toHaveBeenCalledTimes(shown);
      expect(console.error).toBe(before);
    });
});
