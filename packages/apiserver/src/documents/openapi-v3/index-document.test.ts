import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { openAPIV3Index } from "./index-document.js";

describe("openAPIV3Index", () => {
  it("lists where each document is, sorted by name", () => {
    assert.deepEqual(
      openAPIV3Index(["version", "api/v1"], (name) => `/openapi/v3/${name}?hash=${name.length}F`),
      {
        paths: {
          "api/v1": { serverRelativeURL: "/openapi/v3/api/v1?hash=6F" },
          version: { serverRelativeURL: "/openapi/v3/version?hash=7F" },
        },
      },
    );
  });
});
