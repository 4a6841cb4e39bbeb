import type { FlowSchemaSpec } from "@coxswain/api/flowcontrol/v1";

const allRequests = {
  resourceRules: [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"], clusterScope: true, namespaces: ["*"] }],
  nonResourceRules: [{ verbs: ["*"], nonResourceURLs: ["*"] }],
};

const groups = (...names: readonly string[]): { kind: "Group"; group: { name: string } }[] =>
  names.map((name) => ({ kind: "Group", group: { name } }));

/** Without these no request would find a level; they are what they are. */
export const mandatoryFlowSchemas: ReadonlyMap<string, FlowSchemaSpec> = new Map([
  [
    "exempt",
    {
      priorityLevelConfiguration: { name: "exempt" },
      matchingPrecedence: 1,
      rules: [{ subjects: groups("system:masters"), ...allRequests }],
    },
  ],
  [
    "catch-all",
    {
      priorityLevelConfiguration: { name: "catch-all" },
      matchingPrecedence: 10_000,
      distinguisherMethod: { type: "ByUser" },
      rules: [{ subjects: groups("system:unauthenticated", "system:authenticated"), ...allRequests }],
    },
  ],
]);
