import { expect, it } from "vitest";
import { createRestClient } from "../rest/index.js";
import type { Transport, TransportRequest } from "../transport/index.js";
import { requestTarget } from "../transport/index.js";
import { podLogLines } from "./index.js";

function transportOf(...chunks: (string | Uint8Array)[]): Transport & { sent: TransportRequest[] } {
  const sent: TransportRequest[] = [];
  return {
    sent,
    async send(request) {
      sent.push(request);
      return {
        status: 200,
        header: () => undefined,
        warnings: [],
        value: () => Promise.reject(new Error("not used")),
        bytes: () => Promise.reject(new Error("not used")),
        async *stream() {
          for (const chunk of chunks) yield typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk;
        },
      };
    },
    watch: () => Promise.reject(new Error("not used")),
    close: () => Promise.resolve(),
  };
}

it("log lines are whole, however the bytes are cut", async () => {
  const umlaut = new TextEncoder().encode("ü");
  const transport = transportOf("one\ntw", "o\n", umlaut.subarray(0, 1), umlaut.subarray(1), "\n\nlast");
  const lines: string[] = [];
  const client = { rest: createRestClient({ transport }) };
  for await (const line of podLogLines(client, {
    namespace: "default",
    pod: "web",
    container: "main",
    follow: true,
    tailLines: 0,
  }))
    lines.push(line);
  expect(lines).toEqual(["one", "two", "ü", "", "last"]);
  expect(requestTarget(transport.sent[0] as TransportRequest)).toBe(
    "/api/v1/namespaces/default/pods/web/log?container=main&follow=true&tailLines=0",
  );
});
