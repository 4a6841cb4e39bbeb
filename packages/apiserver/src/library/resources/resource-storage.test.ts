import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { systemRuntime } from "@coxswain/runtime";
import { createMemoryStore } from "@coxswain/storage/memory";
import { describe, expect, it } from "vitest";
import { describeApi } from "../../describe-api/index.js";
import { createInProcessTransport } from "../../server/in-process/in-process.js";
import { createApiServer } from "../create-api-server.js";
import type { ServedKind } from "../own-kind-parts.js";
import { createMemoryStorage } from "./create-memory-storage.js";
import { pageOf } from "./page-of.js";
import type { ListPage, ResourceStorage } from "./resource-storage.js";
import { changesBetween } from "./watch-by-listing.js";

interface Guest extends KubernetesObject {
  spec: { name: string };
}

const guests = (storage: ResourceStorage<Guest>): ServedKind<Guest> => ({
  kind: "Guest",
  scope: "Namespaced",
  versions: [
    {
      name: "v1",
      schema: {
        type: "object",
        required: ["spec"],
        properties: { spec: { type: "object", required: ["name"], properties: { name: { type: "string" } } } },
      },
    },
  ],
  storage,
});

async function open(storage: ResourceStorage<Guest>) {
  const groups = [{ name: "hotel.example.com", kinds: [guests(storage)] }];
  const server = await createApiServer({ groups, store: createMemoryStore({ runtime: systemRuntime() }) });
  const transport = createInProcessTransport(server, { user: { name: "me", groups: ["system:masters"] } });
  return { transport, stop: () => server.stop() };
}

describeApi("objects that the server does not store", {
  open: () => open(createMemoryStorage<Guest>()),
  group: "hotel.example.com",
  version: "v1",
  plural: "guests",
  namespaced: true,
  valid: () => ({ spec: { name: "ann" } }),
  change: { spec: { name: "eve" } },
  invalid: { "no name": { spec: {} } },
});

const guest = (name: string, namespace = "a"): Guest => ({
  metadata: { name, namespace, uid: name, resourceVersion: "1" },
  spec: { name },
});

describe("computed resources", () => {
  const computed: ResourceStorage<Guest> = {
    get: async ({ name }) => (name === "ann" ? guest("ann") : undefined),
    list: async (query) => pageOf([guest("ann"), guest("bob"), guest("cleo", "b")], query, "7"),
  };
  it("are read, and nothing else", async () => {
    const { transport, stop } = await open(computed);
    const base = "/apis/hotel.example.com/v1";
    const ask = async (method: "GET" | "DELETE", path: string) => {
      const response = await transport.send({ method, path: `${base}${path}` });
      return { status: response.status, value: await response.value() };
    };
    expect(await ask("GET", "")).toMatchObject({ value: { resources: [{ name: "guests", verbs: ["get", "list"] }] } });
    expect(await ask("GET", "/namespaces/a/guests/ann")).toMatchObject({ status: 200, value: { kind: "Guest" } });
    expect(await ask("GET", "/namespaces/a/guests/bob")).toMatchObject({ status: 404 });
    expect(await ask("GET", "/guests")).toMatchObject({
      value: { kind: "GuestList", metadata: { resourceVersion: "7" }, items: [{}, {}, {}] },
    });
    expect(await ask("DELETE", "/namespaces/a/guests/ann")).toMatchObject({ status: 405 });
    await stop();
  });
});

describe("a page", () => {
  const all = [guest("c"), guest("a"), guest("b"), guest("d", "other")];
  const query = { namespace: "a", name: "", limit: 2, continue: "" };
  const names = (page: ListPage<Guest>): unknown => page.items.map(({ metadata }) => metadata?.name);
  it("is the first of all in order, and counts how many follow", () => {
    const page = pageOf(all, query, "5");
    expect([names(page), page.remainingItemCount, page.resourceVersion]).toEqual([["a", "b"], 1, "5"]);
    expect(names(pageOf(all, { ...query, continue: page.continue ?? "" }, "5"))).toEqual(["c"]);
  });
  it("without a limit is all", () => expect(names(pageOf(all, { ...query, limit: 0 }, "5"))).toEqual(["a", "b", "c"]));
});

it("changes between two lists are additions, changes and what is gone", () => {
  const byName = (...list: Guest[]) => new Map(list.map((one) => [`a/${one.metadata?.name}`, one]));
  const changed = { ...guest("b"), spec: { name: "else" } };
  const changes = changesBetween(byName(guest("a"), guest("b"), guest("c")), byName(guest("b"), guest("a")), "9");
  expect(
    changes.map(({ type, object }) => `${type} ${object.metadata?.name} ${object.metadata?.resourceVersion}`),
  ).toEqual(["DELETED c 9"]);
  expect(changesBetween(byName(guest("b")), byName(changed, guest("d")), "9").map(({ type }) => type)).toEqual([
    "MODIFIED",
    "ADDED",
  ]);
});
