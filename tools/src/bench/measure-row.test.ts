import { describe, expect, it } from "vitest";
import type { Contestant } from "./contestant.js";
import { measureRow } from "./measure-row.js";
import type { Figure, Row } from "./rows/row.js";

const figure: Figure = { what: "creates", unit: "per s", better: "more", budget: 2 };
const contestant = (name: Contestant["name"]): Contestant => ({ name, limitTo: () => {} }) as unknown as Contestant;
const contestants = [contestant("upstream"), contestant("ours")];
const measure = async (row: Partial<Row> & Pick<Row, "measure">, signal = new AbortController().signal) => {
  const full: Row = { name: "row", topic: "server", figures: [figure], ...row };
  const { lines, failures } = await measureRow(full, { contestants, signal, print: () => {} });
  return { values: lines.map(({ upstream, ours }) => [upstream, ours]), failures };
};

describe("a row", () => {
  it("is measured by turns, and its medians count", async () => {
    const turns: string[] = [];
    const { values } = await measure({
      rounds: 3,
      measure: async ({ name }) => {
        turns.push(name);
        return [["creates", turns.length]];
      },
    });
    expect([turns.join(" "), values]).toEqual(["upstream ours upstream ours upstream ours", [[3, 4]]]);
  });

  it("in which one server fails keeps the figures of the other, and reports the error", async () => {
    const { values, failures } = await measure({
      rounds: 2,
      measure: async ({ name }) => {
        if (name === "upstream") throw new Error("504");
        return [["creates", 7]];
      },
    });
    expect([values, failures]).toEqual([[[undefined, 7]], ["row: upstream failed: Error: 504"]]);
  });

  it("of ours alone does not ask upstream", async () => {
    const { values } = await measure({ only: "ours", measure: async () => [["creates", 7]] });
    expect(values).toEqual([[undefined, 7]]);
  });

  it("ends when the bench is stopped", async () => {
    const abort = new AbortController();
    const stopped = measure(
      {
        measure: () => {
          abort.abort(new Error("stopped"));
          return Promise.reject(new Error("the server is gone"));
        },
      },
      abort.signal,
    );
    await expect(stopped).rejects.toThrow("stopped");
  });
});
