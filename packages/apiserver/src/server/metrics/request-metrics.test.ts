import { createMetrics } from "@coxswain/component/metrics";
import { systemRuntime } from "@coxswain/runtime";
import { expect, it } from "vitest";
import type { ApiRequest } from "../../request/request.js";
import { openContext } from "../requests/open-context.js";
import { createRequestMetrics } from "./request-metrics.js";

it("the time in queues is none of what a request is promised to take", () => {
  const metrics = createMetrics();
  const context = openContext(
    { method: "GET", path: "/api/v1/pods", query: "", header: () => undefined } as unknown as ApiRequest,
    systemRuntime(),
  );
  context.isRouted = true;
  context.queuedMs = 400;
  createRequestMetrics(metrics).answered(context, { code: 200, bytes: 1, ms: 500 });
  const sums = [...String(metrics.text()).matchAll(/^(apiserver_request\w*duration_seconds)_sum\{.*\} (.*)$/gm)].map(
    ([, name, sum]) => `${name} ${sum}`,
  );
  expect(sums).toEqual(["apiserver_request_duration_seconds 0.5", "apiserver_request_sli_duration_seconds 0.1"]);
});
