import type { FlowSchemaSpec, PolicyRulesWithSubjects, Subject } from "@coxswain/api/flowcontrol/v1";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { formatTime } from "@coxswain/apimachinery/time";

const apiVersion = "flowcontrol.apiserver.k8s.io/v1";
/** As long as the annotation is there, the server brings the spec up to date; a user who changes the spec removes it. */
const annotations = { "apf.kubernetes.io/autoupdate-spec": "true" };

const user = (name: string): Subject => ({ kind: "User", user: { name } });
const group = (name: string): Subject => ({ kind: "Group", group: { name } });
const systemAccounts: Subject = { kind: "ServiceAccount", serviceAccount: { namespace: "kube-system", name: "*" } };
const everybody = [group("system:unauthenticated"), group("system:authenticated")];

const everything = (subjects: Subject[]): PolicyRulesWithSubjects => ({
  subjects,
  resourceRules: [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"], clusterScope: true, namespaces: ["*"] }],
  nonResourceRules: [{ verbs: ["*"], nonResourceURLs: ["*"] }],
});
const leases = (verbs: string[]) => ({
  verbs,
  apiGroups: ["coordination.k8s.io"],
  resources: ["leases"],
  namespaces: ["*"],
});

interface Flow {
  readonly name: string;
  readonly level: string;
  readonly precedence: number;
  readonly by?: "ByUser" | "ByNamespace";
  readonly rule: PolicyRulesWithSubjects;
}

/** By precedence: the first that matches decides. */
const flows: readonly Flow[] = [
  { name: "exempt", level: "exempt", precedence: 1, rule: everything([group("system:masters")]) },
  {
    name: "probes",
    level: "exempt",
    precedence: 2,
    rule: {
      subjects: everybody,
      nonResourceRules: [{ verbs: ["get"], nonResourceURLs: ["/healthz", "/readyz", "/livez"] }],
    },
  },
  {
    name: "system-leader-election",
    level: "leader-election",
    precedence: 100,
    by: "ByUser",
    rule: {
      subjects: [user("system:kube-controller-manager"), user("system:kube-scheduler"), systemAccounts],
      resourceRules: [leases(["get", "create", "update"])],
    },
  },
  {
    name: "system-node-high",
    level: "node-high",
    precedence: 400,
    by: "ByUser",
    rule: {
      subjects: [group("system:nodes")],
      resourceRules: [
        { verbs: ["*"], apiGroups: [""], resources: ["nodes", "nodes/status"], clusterScope: true, namespaces: ["*"] },
        leases(["*"]),
      ],
    },
  },
  { name: "system-nodes", level: "system", precedence: 500, by: "ByUser", rule: everything([group("system:nodes")]) },
  {
    name: "kube-controller-manager",
    level: "workload-high",
    precedence: 800,
    by: "ByNamespace",
    rule: everything([user("system:kube-controller-manager")]),
  },
  {
    name: "kube-scheduler",
    level: "workload-high",
    precedence: 800,
    by: "ByNamespace",
    rule: everything([user("system:kube-scheduler")]),
  },
  {
    name: "kube-system-service-accounts",
    level: "workload-high",
    precedence: 900,
    by: "ByNamespace",
    rule: everything([systemAccounts]),
  },
  {
    name: "service-accounts",
    level: "workload-low",
    precedence: 9000,
    by: "ByUser",
    rule: everything([group("system:serviceaccounts")]),
  },
  { name: "global-default", level: "global-default", precedence: 9900, by: "ByUser", rule: everything(everybody) },
  { name: "catch-all", level: "catch-all", precedence: 10_000, by: "ByUser", rule: everything(everybody) },
];

interface Level {
  readonly name: string;
  readonly shares: number;
  readonly lendablePercent: number;
  /** Left out: what finds no seat is refused. */
  readonly queues?: number;
  readonly handSize?: number;
}

const levels: readonly Level[] = [
  { name: "leader-election", shares: 10, lendablePercent: 0, queues: 16, handSize: 4 },
  { name: "node-high", shares: 40, lendablePercent: 25, queues: 64, handSize: 6 },
  { name: "system", shares: 30, lendablePercent: 33, queues: 64, handSize: 6 },
  { name: "workload-high", shares: 40, lendablePercent: 50, queues: 128, handSize: 6 },
  { name: "workload-low", shares: 100, lendablePercent: 90, queues: 128, handSize: 6 },
  { name: "global-default", shares: 20, lendablePercent: 50, queues: 128, handSize: 6 },
  { name: "catch-all", shares: 5, lendablePercent: 0 },
];

/** Who is let in first when the server is busy: the levels, and which requests belong to them. */
export function bootstrapFlowControl(now: number): KubernetesObject[] {
  return [exemptLevel, ...levels.map(levelObject), ...flows.map((flow) => flowObject(flow, formatTime(now)))];
}

const exemptLevel = {
  apiVersion,
  kind: "PriorityLevelConfiguration",
  metadata: { name: "exempt", annotations },
  spec: { type: "Exempt", exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 } },
} as KubernetesObject;

function levelObject({ name, shares, lendablePercent, queues, handSize }: Level): KubernetesObject {
  const limitResponse =
    queues === undefined ? { type: "Reject" } : { type: "Queue", queuing: { queues, handSize, queueLengthLimit: 50 } };
  return {
    apiVersion,
    kind: "PriorityLevelConfiguration",
    metadata: { name, annotations },
    spec: { type: "Limited", limited: { nominalConcurrencyShares: shares, limitResponse, lendablePercent } },
  } as KubernetesObject;
}

function flowObject({ name, level, precedence, by, rule }: Flow, now: string): KubernetesObject {
  const spec: FlowSchemaSpec = {
    priorityLevelConfiguration: { name: level },
    matchingPrecedence: precedence,
    ...(by && { distinguisherMethod: { type: by } }),
    rules: [rule],
  };
  const condition = {
    type: "Dangling",
    status: "False",
    lastTransitionTime: now,
    reason: "Found",
    message: `This FlowSchema references the PriorityLevelConfiguration object named "${level}" and it exists`,
  };
  return {
    apiVersion,
    kind: "FlowSchema",
    metadata: { name, annotations },
    spec,
    status: { conditions: [condition] },
  } as KubernetesObject;
}
