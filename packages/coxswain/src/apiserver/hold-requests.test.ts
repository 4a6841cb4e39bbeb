import type { ApiRequest, ResponseSink } from "@coxswain/apiserver";
import { expect, it } from "vitest";
import { holdRequests } from "./hold-requests.js";

it("requests wait for the server in their order, and later ones go straight to it", () => {
  const request = (path: string): ApiRequest => ({ path }) as unknown as ApiRequest;
  const sink = {} as ResponseSink;
  const served: ApiRequest[] = [];
  const requests = holdRequests();
  requests.take(request("/1"), sink);
  requests.take(request("/2"), sink);
  requests.release({ serve: (given) => Promise.resolve(void served.push(given)) });
  expect(served).toEqual([request("/1"), request("/2")]);
  requests.take(request("/3"), sink);
  expect(served).toEqual([request("/1"), request("/2"), request("/3")]);
});
