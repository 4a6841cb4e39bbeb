import type { ActionRequest } from "./action.js";
import type { GraphPicture } from "./graph.js";
import type { Problem } from "./problem.js";
import type { SortOrder, TableState } from "./table.js";

export type { Problem };

/**
 * Everything that crosses between page and worker. A call has one answer; a feed has a state that is sent anew whenever it
 * changes, until it is closed. The page holds the last message of each open feed, and nothing else.
 */

/** What a path names. */
export interface ResourceName {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

/** A resource as discovery has it. */
export interface ResourceInfo extends ResourceName {
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames: readonly string[];
  readonly subresources: readonly string[];
  /** Comes from a CustomResourceDefinition or another server, as far as its group shows. */
  readonly isCustom: boolean;
}

export interface ClusterInfo {
  readonly cluster: string;
  readonly readOnly: boolean;
  /** Time stands still until the page lets it pass: a cluster of a test. */
  readonly hasClock: boolean;
  readonly user: string;
  readonly groups: readonly string[];
  readonly serverVersion: string;
  readonly resources: readonly ResourceInfo[];
  /** Groups whose server does not answer. */
  readonly failedGroups: readonly string[];
  /** The server keeps changes (`history.coxswain.dev`). */
  readonly hasHistory: boolean;
  /** Something measures what pods and nodes use (`metrics.k8s.io`). */
  readonly hasMetrics: boolean;
}

export interface ObjectRef extends ResourceName {
  readonly namespace: string;
  readonly name: string;
}

/** Whom requests are sent as; undefined: the kubeconfig's user. */
export interface SeeAs {
  readonly user: string;
  readonly groups: readonly string[];
}

/** Of a user: "" for oneself. */
interface AccessQuestion extends SeeAs {
  readonly namespace: string;
}

export interface TableQuery extends ResourceName {
  /** "": all. */
  readonly namespace: string;
  readonly filter: string;
  readonly sort: SortOrder | undefined;
  /** A revision of the past; "": live. */
  readonly at: string;
  readonly from: number;
  readonly count: number;
}

export interface EventLine {
  readonly at: number;
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly count: number;
  readonly about: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly namespace?: string;
    readonly name?: string;
  };
  readonly source: string;
}

/** A node of a tree of owners. */
export interface RelatedObject {
  readonly ref: ObjectRef;
  readonly kind: string;
  readonly relation: string;
  readonly depth: number;
  readonly isSelf: boolean;
  readonly status: string;
}

export interface ObjectState {
  readonly object: KubernetesValue | undefined;
  readonly yaml: string;
  readonly isGone: boolean;
  readonly problem: Problem | undefined;
}

/** An object of any kind, as far as views look into it. */
export interface KubernetesValue {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: {
    readonly name?: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly resourceVersion?: string;
    readonly creationTimestamp?: string;
    readonly deletionTimestamp?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly ownerReferences?: readonly OwnerReference[];
    readonly managedFields?: readonly ManagedFieldsEntry[];
    readonly finalizers?: readonly string[];
  };
  // oxlint-disable-next-line no-explicit-any -- members differ by kind, and views look before they use one
  readonly [member: string]: any;
}

export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
}

export interface ManagedFieldsEntry {
  readonly manager?: string;
  readonly subresource?: string;
  readonly time?: string;
  readonly fieldsV1?: Readonly<Record<string, unknown>>;
}

export interface LogQuery {
  readonly namespace: string;
  /** Pods that it follows: one by name, or all that an object owns, those of later rollouts too. */
  readonly owner: ObjectRef;
  readonly container: string;
  readonly previous: boolean;
  readonly search: string;
  readonly from: number;
  readonly count: number;
  /** Show the end, whatever `from` is. */
  readonly follow: boolean;
}

export interface LogLine {
  readonly pod: string;
  readonly container: string;
  readonly at: string;
  readonly text: string;
  /** Which of the pods, for its colour. */
  readonly color: number;
}

export interface LogState {
  readonly lines: readonly LogLine[];
  readonly from: number;
  readonly total: number;
  readonly dropped: number;
  readonly pods: readonly string[];
  readonly problem: Problem | undefined;
}

export interface SearchHit {
  readonly title: string;
  readonly detail: string;
  readonly hash: string;
}

/** A change of the cluster, from events or from the history. */
export interface TimelineEntry {
  readonly at: number;
  readonly source: "event" | "change" | "rollout";
  readonly kind: string;
  readonly ref: ObjectRef | undefined;
  readonly name: string;
  readonly who: string;
  readonly what: string;
  readonly tone: "ok" | "warn" | "bad" | "none";
  readonly revision: string;
}

export interface TimelineState {
  readonly entries: readonly TimelineEntry[];
  readonly problem: Problem | undefined;
  /** A sentence where the server keeps no changes. */
  readonly note: string;
}

export interface OverviewState {
  readonly nodes: readonly NodeSummary[];
  readonly pods: Readonly<Record<string, number>>;
  readonly workloads: readonly {
    readonly kind: string;
    readonly resource: string;
    readonly total: number;
    readonly unready: readonly string[];
  }[];
  readonly warnings: readonly EventLine[];
  readonly isLoading: boolean;
  readonly problem: Problem | undefined;
}

export interface NodeSummary {
  readonly name: string;
  readonly status: string;
  readonly pods: number;
  readonly podCapacity: number;
  readonly cpuCapacity: number;
  readonly memoryCapacity: number;
  /** Measured, in cores and bytes; undefined where nothing serves metrics. */
  readonly cpuUsage: number | undefined;
  readonly memoryUsage: number | undefined;
  readonly machine: string;
  readonly isSimulated: boolean;
}

/** Why a pod does not fit on a node. */
export interface NodeMisfit {
  readonly node: string;
  readonly reasons: readonly string[];
}

/** One question of the matrix and its answer. */
export interface AccessAnswer extends Omit<ResourceName, "version"> {
  readonly verb: string;
  readonly isAllowed: boolean;
  readonly reason: string;
}

/** Why something is as it is, in the server's sentences. */
export interface Explained {
  /** Each is the cause of the one before it. */
  readonly steps: readonly { readonly text: string; readonly certainty: string; readonly revision: string }[];
  /** Where it ends: person, clock, node, measurement, unknown. */
  readonly end: string;
  readonly notes: readonly string[];
}

export interface AccessExplained {
  readonly text: string;
  /** Bindings that would allow it but for one thing. */
  readonly nearMisses: readonly { readonly binding: string; readonly role: string; readonly lack: string }[];
}

/** An object that differs between two moments. */
export interface DifferenceLine {
  readonly ref: ObjectRef;
  readonly kind: string;
  /** `status`: nothing else. */
  readonly what: "new" | "gone" | "changed" | "status";
}

export interface MomentDifference {
  readonly lines: readonly DifferenceLine[];
  readonly total: number;
  /** Kinds that could not be read as of both moments. */
  readonly unread: readonly string[];
}

export interface QueueSummary {
  readonly component: string;
  readonly queue: string;
  readonly waiting: number;
  readonly running: number;
  readonly done: number;
  /** Items whose last work failed. */
  readonly failing: number;
  /** Milliseconds. */
  readonly slowest: number;
}

export interface QueueItem {
  readonly component: string;
  readonly queue: string;
  readonly item: string;
  readonly state: string;
  readonly ms: number;
  readonly retries: number;
  /** The newest revision that woke it; "": none. */
  readonly wokenBy: string;
  readonly since: number;
}

export interface QueueState {
  readonly queues: readonly QueueSummary[];
  readonly items: readonly QueueItem[];
  readonly problem: Problem | undefined;
}

/** A port of this machine that leads to a port of a pod, for as long as this page is open. */
export interface ForwardedPort {
  readonly id: number;
  readonly namespace: string;
  readonly pod: string;
  readonly podPort: number;
  /** 0: not open yet. */
  readonly localPort: number;
  readonly connections: number;
  readonly problem: Problem | undefined;
}

export interface Calls {
  connect: { params: { readonly key: string }; result: ClusterInfo };
  seeAs: { params: { readonly as: SeeAs | undefined }; result: { readonly user: string } };
  send: { params: { readonly request: ActionRequest }; result: { readonly value: KubernetesValue } };
  get: {
    params: { readonly ref: ObjectRef; readonly at: string };
    result: { readonly value: KubernetesValue; readonly yaml: string };
  };
  search: { params: { readonly text: string }; result: readonly SearchHit[] };
  misfits: { params: { readonly ref: ObjectRef }; result: readonly NodeMisfit[] };
  /** Cores and bytes that a pod or a node uses now; undefined where nothing measures it. */
  usage: { params: { readonly ref: ObjectRef }; result: { readonly cpu: number; readonly memory: number } | undefined };
  related: { params: { readonly ref: ObjectRef }; result: readonly RelatedObject[] };
  events: { params: { readonly ref: ObjectRef; readonly uid: string }; result: readonly EventLine[] };
  changes: { params: { readonly ref: ObjectRef }; result: readonly TimelineEntry[] };
  schema: {
    params: { readonly group: string; readonly version: string; readonly kind: string };
    result: SchemaDocument | undefined;
  };
  access: {
    params: AccessQuestion & { readonly resources: readonly Omit<ResourceName, "version">[] };
    result: readonly AccessAnswer[];
  };
  moment: {
    params: { readonly time: string };
    result: { readonly revision: string };
  };
  drain: {
    params: { readonly node: string };
    result: { readonly evicted: number; readonly failed: readonly string[] };
  };
  explain: { params: { readonly ref: ObjectRef; readonly revision: string }; result: Explained };
  causes: { params: { readonly ref: ObjectRef; readonly revision: string }; result: GraphPicture };
  topology: { params: { readonly ref: ObjectRef }; result: GraphPicture };
  nearMisses: {
    params: AccessQuestion & Omit<ResourceName, "version"> & { readonly verb: string };
    result: AccessExplained;
  };
  compareMoments: {
    params: { readonly namespace: string; readonly from: string; readonly to: string };
    result: MomentDifference;
  };
  forward: {
    params: { readonly namespace: string; readonly pod: string; readonly port: number };
    result: undefined;
  };
  endForward: { params: { readonly id: number }; result: undefined };
  /** Milliseconds to let pass; 0: only look. */
  clock: { params: { readonly advanceMs: number }; result: { readonly now: number } };
  yaml: { params: { readonly value: unknown }; result: string };
  parse: {
    params: { readonly text: string };
    result: { readonly value: KubernetesValue } | { readonly problem: string; readonly line: number };
  };
  exec: {
    params: {
      readonly namespace: string;
      readonly pod: string;
      readonly container: string;
      readonly command: readonly string[];
    };
    result: undefined;
  };
}

export interface Feeds {
  table: { params: TableQuery; state: TableState };
  object: { params: { readonly ref: ObjectRef; readonly at: string }; state: ObjectState };
  logs: { params: LogQuery; state: LogState };
  timeline: { params: { readonly namespace: string }; state: TimelineState };
  overview: { params: { readonly namespace: string }; state: OverviewState };
  queues: { params: Record<never, never>; state: QueueState };
  forwards: { params: Record<never, never>; state: readonly ForwardedPort[] };
}

/** OpenAPI v3 of one group and version: schemas by name, and the name of the kind that was asked for. */
export interface SchemaDocument {
  readonly schemas: Readonly<Record<string, SchemaNode>>;
  readonly root: string;
}

export interface SchemaNode {
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly items?: SchemaNode;
  readonly additionalProperties?: SchemaNode | boolean;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly default?: unknown;
  readonly allOf?: readonly SchemaNode[];
  readonly $ref?: string;
  readonly "x-kubernetes-group-version-kind"?: readonly {
    readonly group: string;
    readonly version: string;
    readonly kind: string;
  }[];
}

export type ToWorker =
  | {
      [Name in keyof Calls]: {
        readonly id: number;
        readonly call: Name;
        readonly params: Calls[Name]["params"];
        readonly port?: MessagePort;
      };
    }[keyof Calls]
  | {
      [Name in keyof Feeds]: { readonly id: number; readonly feed: Name; readonly params: Feeds[Name]["params"] };
    }[keyof Feeds]
  | { readonly id: number; readonly close: true };

export type ToPage =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly problem: Problem }
  | { readonly id: number; readonly state: unknown }
  /** The relay is reached, or not. */
  | { readonly connection: "open" | "lost" };
