import { readFileSync } from "node:fs";
import { describeApi } from "@coxswain/apiserver/describe-api";
import { createInProcessTransport } from "@coxswain/apiserver/library";
import { expect, it } from "vitest";
import { startServer } from "./one-kind.js";

describeApi("a server with one kind", {
  async open() {
    const server = await startServer();
    const transport = createInProcessTransport(server, { user: { name: "me", groups: ["system:masters"] } });
    return { transport, stop: () => server.stop() };
  },
  group: "hotel.example.com",
  version: "v1",
  plural: "bookings",
  namespaced: true,
  valid: () => ({ spec: { guest: "ann" } }),
  change: { spec: { guest: "eve" } },
  invalid: { "no guest": { spec: {} }, "no night": { spec: { guest: "ann", nights: 0 } } },
});

it("it is the code that the README shows, in at most 25 lines", () => {
  const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");
  const code = read("one-kind.ts");
  expect(read("../../packages/apiserver/README.md")).toContain(`\`\`\`ts\n${code}\`\`\``);
  expect(code.trimEnd().split("\n").length).toBeLessThanOrEqual(25);
});
