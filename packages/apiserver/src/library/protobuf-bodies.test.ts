import { testRuntime } from "@coxswain/runtime";
import { createMemoryStore } from "@coxswain/storage/memory";
import { expect, it } from "vitest";
import { createInProcessTransport } from "../server/in-process/in-process.js";
import { createApiServer } from "./create-api-server.js";

it("a body in protobuf is refused for a kind of one's own, whose objects have no such form", async () => {
  const runtime = testRuntime(1);
  const store = createMemoryStore({ runtime });
  const versions = [{ name: "v1", schema: { type: "object", properties: { guest: { type: "string" } } } }];
  const server = await createApiServer({
    runtime,
    store,
    groups: [{ name: "hotel.example.com", kinds: [{ kind: "Booking", scope: "Cluster", versions }] }],
  });
  const transport = createInProcessTransport(server, { user: { name: "me", groups: ["system:masters"] } });
  const path = "/apis/hotel.example.com/v1/bookings";
  const value = { metadata: { name: "one" }, guest: "ann" };
  await transport.send({ method: "POST", path, body: { as: "value", value } });
  const bytes = new Uint8Array([0x6b, 0x38, 0x73, 0x00]);
  const sent = await transport.send({
    method: "PUT",
    path: `${path}/one`,
    body: { as: "bytes", bytes, contentType: "application/vnd.kubernetes.protobuf" },
  });
  expect(await sent.value()).toMatchObject({
    code: 400,
    message: expect.stringContaining("object *v1.Booking does not"),
  });
  const kept = await transport.send({ method: "GET", path: `${path}/one` });
  expect(await kept.value()).toMatchObject({ guest: "ann" });
  await server.stop();
  await store.close();
});
