import { builtInKinds } from "@coxswain/kinds";
import { systemRuntime } from "@coxswain/runtime";
import { createMemoryStore } from "@coxswain/storage/memory";
import { describe, expect, it } from "vitest";
import { startCacheFeed } from "../cache/cache-feed.js";
import { configOfMode } from "./authorizer-config.js";
import { createRuleLister } from "./rule-lister.js";

describe("what a user may do, in a list", () => {
  it("reports when it is not complete", async () => {
    const feed = await startCacheFeed({
      store: createMemoryStore({ runtime: systemRuntime() }),
      kinds: builtInKinds,
      runtime: systemRuntime(),
    });
    const rulesOf = createRuleLister([configOfMode("Node"), configOfMode("AlwaysAllow")], feed);
    const all = {
      resourceRules: [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"] }],
      nonResourceRules: [{ verbs: ["*"], nonResourceURLs: ["*"] }],
    };
    expect(rulesOf({ name: "jane", groups: [] }, "shop")).toEqual({ ...all, incomplete: false });
    expect(rulesOf({ name: "system:node:n1", groups: ["system:nodes"] }, "shop")).toEqual({
      ...all,
      incomplete: true,
      error: "node authorizer does not support user rule resolution",
    });
    await feed.stop();
  });
});
