import type { Deployment } from "@coxswain/api/apps/v1";
import type { Pod, PodList, PullPolicy, ResourceName, Volume } from "@coxswain/api/core/v1";
import type { DeepReadonly, metaV1 } from "@coxswain/api/types";
import { describe, expectTypeOf, it } from "vitest";

describe("the TypeScript types", () => {
  it("a kind's apiVersion and kind are literals", () => {
    expectTypeOf<NonNullable<Pod["apiVersion"]>>().toEqualTypeOf<"v1">();
    expectTypeOf<NonNullable<Deployment["apiVersion"]>>().toEqualTypeOf<"apps/v1">();
    expectTypeOf<NonNullable<PodList["kind"]>>().toEqualTypeOf<"PodList">();
  });
  it("an object literal reads as YAML does", () => {
    const pod: Pod = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "web", labels: { app: "web" } },
      spec: {
        containers: [
          { name: "web", image: "nginx", resources: { limits: { cpu: "500m" } }, ports: [{ containerPort: 80 }] },
        ],
      },
    };
    expectTypeOf(pod.metadata).toEqualTypeOf<metaV1.ObjectMeta | undefined>();
  });
  it("an enum that the server validates is closed, other names are open", () => {
    expectTypeOf<PullPolicy>().toEqualTypeOf<"Always" | "IfNotPresent" | "Never">();
    expectTypeOf<"example.com/gpu">().toExtend<ResourceName>();
  });
  it("an inline struct's members are the type's own", () => expectTypeOf<Volume>().toHaveProperty("configMap"));
  it("what a cache hands out cannot be changed", () => {
    expectTypeOf<DeepReadonly<Pod>["spec"]>().toExtend<{ readonly containers: readonly unknown[] } | undefined>();
    // @ts-expect-error a shared object has no writable members
    const write = (pod: DeepReadonly<Pod>): void => void (pod.kind = "Pod");
    expectTypeOf(write).toBeFunction();
  });
});
