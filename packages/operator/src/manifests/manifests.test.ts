import { generateDefinitions, parseModule } from "@coxswain/schema-types";
import { describe, expect, it } from "vitest";
import { generateRoles } from "./rbac.js";
import { resourcesModule } from "./resources-module.js";
import { generateWebhooks } from "./webhooks.js";

const moduleOf = (text: string) => parseModule({ path: "controllers/video.ts", text });
const rbac = (...lines: string[]) =>
  generateRoles(
    [moduleOf(`/**\n${lines.map((line) => ` * @rbac ${line}`).join("\n")}\n */\nexport const a = 1;`)],
    "manager-role",
  );

describe("roles", () => {
  const cases: [name: string, lines: string[], rules: unknown][] = [
    [
      "verbs of the same resource are one rule",
      ["groups=apps resources=deployments verbs=list;get", "groups=apps resources=deployments verbs=watch;get"],
      [{ apiGroups: ["apps"], resources: ["deployments"], verbs: ["get", "list", "watch"] }],
    ],
    [
      "resources with the same verbs are one rule",
      ["groups=core resources=pods verbs=get", 'groups="" resources=services verbs=get'],
      [{ apiGroups: [""], resources: ["pods", "services"], verbs: ["get"] }],
    ],
    [
      "groups with the same resources are one rule",
      ["groups=a resources=x verbs=get", "groups=b resources=x verbs=get"],
      [{ apiGroups: ["a", "b"], resources: ["x"], verbs: ["get"] }],
    ],
    [
      "all verbs are a star",
      ["groups=a resources=x verbs=*;get"],
      [{ apiGroups: ["a"], resources: ["x"], verbs: ["*"] }],
    ],
    [
      "paths that are no resources",
      ["urls=/metrics verbs=get", "urls=/healthz verbs=get"],
      [{ nonResourceURLs: ["/healthz", "/metrics"], verbs: ["get"] }],
    ],
    [
      "names of objects stay apart",
      ["groups=a resources=x resourceNames=n verbs=get", "groups=a resources=x verbs=list"],
      [
        { apiGroups: ["a"], resources: ["x"], verbs: ["list"] },
        { apiGroups: ["a"], resourceNames: ["n"], resources: ["x"], verbs: ["get"] },
      ],
    ],
  ];
  for (const [name, lines, rules] of cases)
    it(name, () =>
      expect(rbac(...lines)).toEqual([
        { apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRole", metadata: { name: "manager-role" }, rules },
      ]),
    );

  it("a namespace makes a Role, another name another one", () =>
    expect(
      rbac("groups=a resources=x verbs=get namespace=n", "groups=a resources=x verbs=get roleName=reader").map(
        ({ kind, metadata }) => [kind, metadata],
      ),
    ).toEqual([
      ["ClusterRole", { name: "reader" }],
      ["Role", { name: "manager-role", namespace: "n" }],
    ]));
  it("a rule without verbs is refused with its place", () =>
    expect(() => rbac("groups=a resources=x")).toThrow("controllers/video.ts:1:1: @rbac: needs verbs"));
});

const video = `import type { CustomResource } from "@coxswain/operator";
/**
 * @group media.example.com
 * @resource
 * @webhook defaulting validating conversion failurePolicy=ignore
 */
export interface VideoProcessor extends CustomResource<{ name: string }> {}`;

describe("webhooks", () => {
  const { kinds } = generateDefinitions(["api/v1/video.ts"], () => video);
  const service = { name: "webhook-service", namespace: "system" };
  it("of a kind: paths and names as controller-runtime's, rules from its resource", () => {
    const { mutating, validating, conversions } = generateWebhooks(
      kinds,
      kinds.map(({ module }) => module),
      service,
    );
    const common = {
      rules: [
        {
          apiGroups: ["media.example.com"],
          apiVersions: ["v1"],
          resources: ["videoprocessors"],
          operations: ["CREATE", "UPDATE"],
        },
      ],
      failurePolicy: "Ignore",
      sideEffects: "None",
      admissionReviewVersions: ["v1"],
    };
    expect(mutating?.webhooks).toEqual([
      {
        ...common,
        name: "mvideoprocessor-v1.media.example.com",
        clientConfig: { service: { ...service, path: "/mutate-media-example-com-v1-videoprocessor" } },
      },
    ]);
    expect(validating?.webhooks).toEqual([
      {
        ...common,
        name: "vvideoprocessor-v1.media.example.com",
        clientConfig: { service: { ...service, path: "/validate-media-example-com-v1-videoprocessor" } },
      },
    ]);
    expect(conversions.map(({ conversion }) => conversion.webhook?.clientConfig?.service?.path)).toEqual(["/convert"]);
  });
  it("in full, for resources of others", () => {
    const text =
      "/** @webhook mutating path=/inject groups=core versions=v1 resources=pods verbs=create name=inject.example.com reinvocationPolicy=IfNeeded */ const a = 1;";
    const { mutating, validating } = generateWebhooks([], [moduleOf(text)], service);
    expect(validating).toBeUndefined();
    expect(mutating?.webhooks?.[0]).toMatchObject({
      name: "inject.example.com",
      reinvocationPolicy: "IfNeeded",
      rules: [{ apiGroups: [""], apiVersions: ["v1"], resources: ["pods"], operations: ["CREATE"] }],
    });
  });
  it("the resources of a folder are a module", () =>
    expect(resourcesModule(kinds)).toBe(`// Generated by \`coxswain operator generate\`.
import { defineResource } from "@coxswain/operator";
import type { VideoProcessor } from "./video.js";

export const videoprocessors = defineResource<VideoProcessor>({
  group: "media.example.com",
  version: "v1",
  kind: "VideoProcessor",
  resource: "videoprocessors",
  scope: "Namespaced",
});
`));
});
