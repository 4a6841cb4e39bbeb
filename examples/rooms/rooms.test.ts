import { describeApi } from "@coxswain/apiserver/describe-api";
import { createApiServer, createInProcessTransport } from "@coxswain/apiserver/library";
import { systemRuntime } from "@coxswain/runtime";
import { createMemoryStore } from "@coxswain/storage/memory";
import { roomsFrom } from "./rooms.js";

describeApi("rooms, from a TypeScript type", {
  async open() {
    const store = createMemoryStore({ runtime: systemRuntime() });
    const server = await createApiServer({ groups: roomsFrom(new URL("./", import.meta.url)), store });
    const transport = createInProcessTransport(server, { user: { name: "me", groups: ["system:masters"] } });
    return { transport, stop: () => server.stop() };
  },
  group: "hotel.example.com",
  version: "v1",
  plural: "rooms",
  namespaced: false,
  valid: () => ({ spec: { floor: "1", beds: 1 } }),
  change: { spec: { floor: "1", beds: 3 } },
  status: { guest: "ann" },
  invalid: { "no floor": { spec: {} }, "no bed": { spec: { floor: "1", beds: 0 } } },
});
