import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { defaultSchedulerConfig } from "./default-config.js";
import { withExtenders } from "./with-extenders.js";

describe("withExtenders", () => {
  const config = defaultSchedulerConfig({ enabled: () => true });
  const fitArgs = (changed: typeof config) =>
    changed.profiles[0]?.pluginConfig.get("NodeResourcesFit") as { ignoredResources?: readonly string[] };

  it("puts extenders that may fail last", () => {
    const extenders = [
      { urlPrefix: "http://a", ignorable: true, httpTimeoutMs: 1 },
      { urlPrefix: "http://b", httpTimeoutMs: 1 },
    ];
    const changed = withExtenders({ ...config, extenders });
    assert.deepEqual(
      changed.extenders.map(({ urlPrefix }) => urlPrefix),
      ["http://b", "http://a"],
    );
    assert.equal(fitArgs(changed).ignoredResources, undefined);
  });

  it("leaves resources to extenders that look after them alone", () => {
    const managedResources = [{ name: "example.com/foo", ignoredByScheduler: true }, { name: "example.com/bar" }];
    const changed = withExtenders({
      ...config,
      extenders: [{ urlPrefix: "http://a", managedResources, httpTimeoutMs: 1 }],
    });
    assert.deepEqual(fitArgs(changed).ignoredResources, ["example.com/foo"]);
  });
});
