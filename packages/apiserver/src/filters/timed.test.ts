import { describe, expect, it } from "vitest";
import type { Answer } from "../request/answer.js";
import { chain, type Filter } from "../request/filter.js";
import type { RequestContext } from "../request/request-context.js";
import { timed } from "./timed.js";

const answer = { as: "status" } as unknown as Answer;
const handler = (): Answer => answer;

/** A filter of each name around the next; every look at the clock is a millisecond later. */
function run(filters: Readonly<Record<string, Filter>>) {
  const reported: string[] = [];
  let ms = 0;
  const clock = { monotonic: () => ms++ };
  const all = Object.entries(filters).flatMap(([name, filter]) =>
    timed(filter, clock, (_context, took) => reported.push(`${name} ${took}`)),
  );
  const context = { deciding: undefined, decidingSince: 0 } as RequestContext;
  return { reported, serve: () => chain(all, handler)(context) };
}

const pass: Filter = (context, next) => next(context);
const refuse: Filter = () => answer;

describe("a measured filter", () => {
  it("is measured until it calls the next one, each once", () => {
    const { reported, serve } = run({ a: pass, b: pass });
    expect(serve()).toBe(answer);
    expect(reported).toEqual(["a 1", "b 1"]);
  });
  it("is measured until it answers itself", () => {
    const { reported, serve } = run({ a: pass, b: refuse, c: pass });
    expect(serve()).toBe(answer);
    expect(reported).toEqual(["a 1", "b 1"]);
  });
  it("is measured until it throws", () => {
    const { reported, serve } = run({
      a: pass,
      b: () => {
        throw new Error("no");
      },
    });
    expect(serve).toThrow("no");
    expect(reported).toEqual(["a 1", "b 1"]);
  });
  it("is measured until it answers later, and one that has let the request pass is not measured again", async () => {
    const { reported, serve } = run({ a: pass, b: () => Promise.resolve(answer) });
    const served = serve();
    expect(reported).toEqual(["a 1"]);
    await served;
    expect(reported).toEqual(["a 1", "b 1"]);
  });
  it("is measured until it fails later", async () => {
    const { reported, serve } = run({ a: () => Promise.reject(new Error("no")) });
    await expect(serve()).rejects.toThrow("no");
    expect(reported).toEqual(["a 1"]);
  });
  it("is measured until it lets the request pass later", async () => {
    const { reported, serve } = run({ a: async (context, next) => next(await Promise.resolve(context)), b: pass });
    expect(await serve()).toBe(answer);
    expect(reported).toEqual(["a 1", "b 1"]);
  });
});
