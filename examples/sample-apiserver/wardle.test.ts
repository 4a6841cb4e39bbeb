import { describeApi } from "@coxswain/apiserver/describe-api";
import { createApiServer, createInProcessTransport } from "@coxswain/apiserver/library";
import { systemRuntime } from "@coxswain/runtime";
import { createMemoryStore } from "@coxswain/storage/memory";
import { expect, it } from "vitest";
import { banFlunder } from "./ban-flunder.js";
import { wardle } from "./wardle.js";

async function open() {
  const store = createMemoryStore({ runtime: systemRuntime() });
  const server = await createApiServer({ groups: [wardle], admission: [banFlunder], store });
  const transport = createInProcessTransport(server, { user: { name: "me", groups: ["system:masters"] } });
  return { transport, stop: () => server.stop() };
}

describeApi("flunders", {
  open,
  group: "wardle.example.com",
  version: "v1beta1",
  otherVersions: ["v1alpha1"],
  plural: "flunders",
  namespaced: true,
  valid: () => ({ spec: { flunderReference: "a", referenceType: "Flunder" } }),
  change: { spec: { flunderReference: "b", referenceType: "Flunder" } },
  invalid: {
    "two references": { spec: { flunderReference: "a", fischerReference: "b", referenceType: "Flunder" } },
    "a type without a reference": { spec: { referenceType: "Fischer" } },
  },
});

it("a flunder that a fischer disallows is refused", async () => {
  const { transport, stop } = await open();
  const create = async (path: string, value: object) => {
    const sent = await transport.send({ method: "POST", path, body: { as: "value", value } });
    return ((await sent.value()) as { message?: string }).message;
  };
  await create("/apis/wardle.example.com/v1alpha1/fischers", { metadata: { name: "a" }, disallowedFlunders: ["bad"] });
  const path = "/apis/wardle.example.com/v1alpha1/namespaces/default/flunders";
  expect(await create(path, { metadata: { name: "good" } })).toBeUndefined();
  expect(await create(path, { metadata: { name: "bad" } })).toBe(
    'flunders.wardle.example.com "bad" is forbidden: this name may not be used, please change the resource name',
  );
  await stop();
});
