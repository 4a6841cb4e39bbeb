import { describe, expect, it } from "vitest";
import { resourceOfKey } from "./resource-of-key.js";

describe("the resource of a key", () => {
  const cases: [string, string, string][] = [
    ["secrets/default/token", "", "secrets"],
    ["minions/node-1", "", "nodes"],
    ["services/specs/default/web", "", "services"],
    ["services/endpoints/default/web", "", "endpoints"],
    ["events/default/web.1", "", "events"],
    ["deployments/default/web", "apps", "deployments"],
    ["ingress/default/web", "networking.k8s.io", "ingresses"],
    [
      "apiextensions.k8s.io/customresourcedefinitions/widgets.example.com",
      "apiextensions.k8s.io",
      "customresourcedefinitions",
    ],
    ["example.com/widgets/default/one", "example.com", "widgets"],
    ["ranges/serviceips", "", "serviceipallocations"],
    ["masterleases/10.0.0.1", "", "apiserveripinfo"],
  ];
  for (const [path, group, resource] of cases) it(path, () => expect(resourceOfKey(path)).toEqual({ group, resource }));
});
