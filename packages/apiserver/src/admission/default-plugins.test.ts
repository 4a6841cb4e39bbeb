import { describe, expect, it } from "vitest";
import {
  bindingOf,
  configMap,
  configMapPath,
  policyOf,
  policyPath,
  startPolicyServer,
} from "./policies/policies.test.support.js";

const kind = "ValidatingAdmissionPolicy";

describe("admission plugins", () => {
  it("can be switched off, as flags of existing clusters do", async () => {
    const server = await startPolicyServer({
      admission: { disabled: ["MutatingAdmissionWebhook", "ValidatingAdmissionWebhook", kind] },
    });
    await server.create(
      `${policyPath}/validatingadmissionpolicies`,
      policyOf(kind, { validations: [{ expression: "false" }] }),
    );
    await server.create(
      `${policyPath}/validatingadmissionpolicybindings`,
      bindingOf(`${kind}Binding`, { validationActions: ["Deny"] }),
    );
    expect((await server.create(configMapPath, configMap("c"))).status).toBe(201);
    await server.stop();
  });
});
