import type { ApiRequest, ResponseSink } from "@coxswain/apiserver";
import { expect, it } from "vitest";
import { holdRequests } from "./hold-requests.js";

const request = (path: string): ApiRequest => ({ path }) as unknown as ApiRequest;
const sink = {} as ResponseSink;

it("requests wait for the server in their order, and later ones go straight to it", async () => {
  const served: string[] = [];
  const server = {
    serve(given: ApiRequest): Promise<void> {
      served.push((given as unknown as { path: string }).path);
      return Promise.resolve();
    },
  };
  let start: (value: typeof server) => void = () => {};
  const ready = new Promise<typeof server>((resolve) => (start = resolve));
  const hold = holdRequests(ready);
  hold(request("/1"), sink);
  hold(request("/2"), sink);
  expect(served).toEqual([]);
  start(server);
  await ready;
  expect(served).toEqual(["/1", "/2"]);
  hold(request("/3"), sink);
  expect(served).toEqual(["/1", "/2", "/3"]);
});

it("a start that fails is told to whoever waits for it, not by its requests", async () => {
  const hold = holdRequests(Promise.reject(new Error("no store")));
  hold(request("/1"), sink);
  await new Promise((resolve) => setImmediate(resolve)); // a rejection that nobody took would fail the run
});
