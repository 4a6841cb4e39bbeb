import { expect, it } from "vitest";
import type { ServerStream } from "./server-stream.js";
import { UnbegunRequests } from "./unbegun-requests.js";

const stream = (id: number, hasEnded: boolean): ServerStream => ({ id, hasEnded }) as ServerStream;

it("begins a complete request when another stream is next, or nothing is", () => {
  for (const next of [3, undefined]) {
    const unbegun = new UnbegunRequests();
    const request = stream(1, true);
    unbegun.add(request);
    expect([unbegun.take(1), unbegun.take(next), unbegun.take(next)]).toEqual([undefined, request, undefined]);
  }
});

it("lets requests wait for their bodies while there is something to read, and begins them in the order in which these end", () => {
  const unbegun = new UnbegunRequests();
  const [first, second, third] = [stream(1, false), stream(3, false), stream(5, false)];
  for (const request of [first, second, third]) unbegun.add(request);
  expect(unbegun.take(7)).toBe(undefined);
  expect(unbegun.hasEnded(second)).toBe(true);
  expect(unbegun.take(1)).toBe(second);
  expect(unbegun.hasEnded(second)).toBe(false);
  expect([unbegun.take(undefined), unbegun.take(undefined), unbegun.size]).toEqual([first, third, 0]);
});

it("begins nothing whose client has given up", () => {
  const unbegun = new UnbegunRequests();
  const [whole, part] = [stream(1, true), stream(3, false)];
  unbegun.add(whole);
  unbegun.add(part);
  unbegun.forget(whole);
  unbegun.forget(part);
  expect([unbegun.size, unbegun.take(undefined)]).toEqual([0, undefined]);
});

it("hands out all that are left", () => {
  const unbegun = new UnbegunRequests();
  const [part, whole] = [stream(1, false), stream(3, true)];
  unbegun.add(part);
  unbegun.add(whole);
  expect([unbegun.drain(), unbegun.size]).toEqual([[whole, part], 0]);
});
