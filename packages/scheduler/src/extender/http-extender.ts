import { getOwn, ownEntries } from "@coxswain/apimachinery/own";
import { NodeInfo } from "../cache/node-info.js";
import type { Snapshot } from "../cache/snapshot.js";
import { type Node, namespaceOf, type Pod, uidOf } from "../pod/objects.js";
import type { Extender, ExtenderFilterResult, Victims } from "./extender.js";

/** One entry of `extenders` in the configuration, with its defaults. */
export interface ExtenderSettings {
  readonly urlPrefix: string;
  readonly filterVerb?: string;
  readonly prioritizeVerb?: string;
  readonly bindVerb?: string;
  readonly preemptVerb?: string;
  readonly weight?: number;
  readonly enableHTTPS?: boolean;
  readonly tlsConfig?: Readonly<Record<string, unknown>>;
  /** In milliseconds. */
  readonly httpTimeoutMs: number;
  /** It knows the nodes: names are enough. */
  readonly nodeCacheCapable?: boolean;
  readonly managedResources?: readonly { readonly name: string; readonly ignoredByScheduler?: boolean }[];
  readonly ignorable?: boolean;
}

/** Sends a POST with a JSON body and resolves to the answer's code and parsed body. */
export type PostJson = (
  url: string,
  body: unknown,
  settings: ExtenderSettings,
) => Promise<{ readonly code: number; readonly body: unknown }>;

interface FilterAnswer {
  readonly Nodes?: { readonly items?: readonly Node[] } | null;
  readonly NodeNames?: readonly string[] | null;
  readonly FailedNodes?: Readonly<Record<string, string>> | null;
  readonly FailedAndUnresolvableNodes?: Readonly<Record<string, string>> | null;
  readonly Error?: string;
}

interface MetaVictims {
  readonly Pods?: readonly { readonly UID: string }[];
  readonly NumPDBViolations?: number;
}

/** Scores of extenders go to 10, those of plugins to 100. */
const scoreScale = 10;

export function createHttpExtender(settings: ExtenderSettings, post: PostJson): Extender {
  const { urlPrefix, nodeCacheCapable = false, weight = 1 } = settings;
  const managed = new Set(settings.managedResources?.map(({ name }) => name));

  async function send(verb: string, body: unknown): Promise<unknown> {
    const url = `${urlPrefix.endsWith("/") ? urlPrefix.slice(0, -1) : urlPrefix}/${verb}`;
    const answer = await post(url, body, settings);
    if (answer.code !== 200) throw new Error(`failed ${verb} with extender at URL ${url}, code ${answer.code}`);
    return answer.body;
  }

  const args = (pod: Pod, nodes: readonly NodeInfo[]): object =>
    nodeCacheCapable
      ? { Pod: pod, Nodes: null, NodeNames: nodes.map(({ name }) => name) }
      : { Pod: pod, Nodes: { metadata: {}, items: nodes.map(({ node }) => node) }, NodeNames: null };

  const managesAny = (containers: NonNullable<Pod["spec"]>["containers"] | undefined): boolean =>
    containers?.some(({ resources }) =>
      [resources?.requests, resources?.limits].some((list) => ownEntries(list).some(([name]) => managed.has(name))),
    ) ?? false;

  return {
    name: urlPrefix,
    ignorable: settings.ignorable ?? false,
    filters: Boolean(settings.filterVerb),
    prioritizes: Boolean(settings.prioritizeVerb),
    binds: Boolean(settings.bindVerb),
    preempts: Boolean(settings.preemptVerb),
    isInterested: (pod) =>
      managed.size === 0 || managesAny(pod.spec?.containers) || managesAny(pod.spec?.initContainers),
    async filter(pod, nodes) {
      if (!settings.filterVerb) return { nodes, failed: new Map(), unresolvable: new Map() };
      return readFilterAnswer((await send(settings.filterVerb, args(pod, nodes))) as FilterAnswer, nodes, settings);
    },
    async prioritize(pod, nodes) {
      if (!settings.prioritizeVerb) return new Map();
      const list = (await send(settings.prioritizeVerb, args(pod, nodes))) as readonly {
        Host: string;
        Score: number;
      }[];
      return new Map(list.map(({ Host, Score }) => [Host, Score * weight * scoreScale]));
    },
    async bind({ pod, nodeName }) {
      const answer = (await send(settings.bindVerb ?? "", {
        PodName: pod.metadata?.name ?? "",
        PodNamespace: namespaceOf(pod),
        PodUID: uidOf(pod),
        Node: nodeName,
      })) as { Error?: string } | null;
      if (answer?.Error) throw new Error(answer.Error);
    },
    async preempt(pod, candidates, snapshot) {
      const answer = (await send(settings.preemptVerb ?? "", {
        Pod: pod,
        ...(nodeCacheCapable
          ? { NodeNameToMetaVictims: victimsBody(candidates, (victim) => ({ UID: uidOf(victim) })) }
          : { NodeNameToVictims: victimsBody(candidates, (victim) => victim) }),
      })) as { NodeNameToMetaVictims?: Readonly<Record<string, MetaVictims>> | null };
      return readVictims(answer.NodeNameToMetaVictims ?? {}, snapshot, urlPrefix);
    },
  };
}

function readFilterAnswer(
  answer: FilterAnswer,
  nodes: readonly NodeInfo[],
  { urlPrefix, nodeCacheCapable }: ExtenderSettings,
): ExtenderFilterResult {
  if (answer.Error) throw new Error(answer.Error);
  const failed = new Map(ownEntries(answer.FailedNodes ?? undefined));
  const unresolvable = new Map(ownEntries(answer.FailedAndUnresolvableNodes ?? undefined));
  if (nodeCacheCapable && answer.NodeNames) {
    const byName = new Map(nodes.map((node) => [node.name, node]));
    const left = answer.NodeNames.map((name) => {
      const node = byName.get(name);
      if (node === undefined)
        throw new Error(
          `extender "${urlPrefix}" claims a filtered node "${name}" which is not found in the input node list`,
        );
      return node;
    });
    return { nodes: left, failed, unresolvable };
  }
  const left = (answer.Nodes?.items ?? []).map((node) => {
    const info = new NodeInfo();
    info.setNode(node, new Map());
    return info;
  });
  return { nodes: left, failed, unresolvable };
}

const victimsBody = (candidates: ReadonlyMap<string, Victims>, form: (victim: Pod) => unknown): object =>
  Object.fromEntries(
    [...candidates].map(([node, { pods, budgetViolations }]) => [
      node,
      { Pods: pods.map(form), NumPDBViolations: budgetViolations },
    ]),
  );

function readVictims(
  answer: Readonly<Record<string, MetaVictims>>,
  snapshot: Snapshot,
  urlPrefix: string,
): Map<string, Victims> {
  const victims = new Map<string, Victims>();
  for (const [name] of ownEntries(answer)) {
    const { Pods = [], NumPDBViolations = 0 } = getOwn(answer, name) ?? {};
    const info = snapshot.get(name);
    if (info === undefined) throw new Error(`nodeinfo not found for node name "${name}"`);
    const pods = Pods.map(({ UID }) => {
      const found = info.pods.find(({ uid }) => uid === UID);
      if (found === undefined)
        throw new Error(
          `extender: ${urlPrefix} claims to preempt pod (UID: ${UID}) on node: ${name}, but the pod is not found on that node`,
        );
      return found.pod;
    });
    victims.set(name, { pods, budgetViolations: NumPDBViolations });
  }
  return victims;
}
