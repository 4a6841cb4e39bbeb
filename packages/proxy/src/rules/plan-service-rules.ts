import { disjointNetworks } from "../addresses/disjoint-networks.js";
import {
  type Backend,
  backendKey,
  type Frontend,
  type PortFrontends,
  type ServiceFrontends,
} from "../frontends/frontend.js";
import { affinityRules } from "./affinity-rules.js";
import { chainName } from "./chain-name.js";
import type { BackendList, BackendMap, Chain, Element } from "./element.js";
import { frontendKey } from "./frontend-key.js";
import type { RuleDraft } from "./rule-draft.js";
import { directChain, localPolicyChain, masqueradeChain, type SharedChain } from "./shared-chains.js";
import { stableOrder } from "./stable-order.js";
import { rejectChain } from "./table-layout.js";
import { type TableSettings, wordsOf } from "./table-settings.js";

/** What one service has in a table. */
export interface ServiceRules {
  readonly rank: string;
  readonly elements: readonly Element[];
  /** Chains of its own, in an order in which each finds what it goes to. */
  readonly chains: readonly Chain[];
  /** Chains that it shares with others. */
  readonly shared: readonly SharedChain[];
  /** Sets that remember clients, with their time-outs in seconds. */
  readonly affinitySets: ReadonlyMap<string, number>;
  /** The places of backends in each list, so that the next plan keeps them. */
  readonly orders: ReadonlyMap<string, readonly string[]>;
}

/** Pure: the elements, chains and sets of a service. Backends keep the indexes that they had in `before`. */
export function planServiceRules(
  settings: TableSettings,
  plan: ServiceFrontends,
  before?: Pick<ServiceRules, "orders">,
): ServiceRules {
  const draft: RuleDraft = { settings, elements: [], chains: new Map(), shared: [], affinitySets: new Map() };
  const orders = new Map<string, readonly string[]>();
  draft.elements.push({ container: "cluster-ips", key: plan.clusterIP, value: "" });
  for (const port of plan.ports) {
    planHairpin(draft, port);
    for (const frontend of port.frontends) planRefusals(draft, port, frontend);
    if (port.affinitySeconds !== undefined) affinityRules(draft, port);
    else
      for (const frontend of port.frontends)
        planFlat(draft, port, { frontend, inOrder: (list, backends) => ordered(orders, before, { list, backends }) });
  }
  return { rank: plan.rank, ...draft, chains: [...draft.chains.values()], orders };
}

function ordered(
  orders: Map<string, readonly string[]>,
  before: Pick<ServiceRules, "orders"> | undefined,
  { list, backends }: { list: string; backends: readonly Backend[] },
): readonly Backend[] {
  const byKey = new Map(backends.map((backend) => [backendKey(backend), backend]));
  const order = stableOrder(before?.orders.get(list) ?? [], [...byKey.keys()]);
  orders.set(list, order);
  return order.flatMap((key) => byKey.get(key) ?? []);
}

function planHairpin({ elements }: RuleDraft, { protocol, reachable }: PortFrontends): void {
  for (const { address, port, isLocal } of reachable)
    if (isLocal)
      elements.push({ container: "hairpin", key: `${address} . ${address} . ${protocol} . ${port}`, value: "" });
}

/** Connections that are rejected, dropped, or let in only from some networks. */
function planRefusals({ settings, elements, chains }: RuleDraft, port: PortFrontends, frontend: Frontend): void {
  const key = frontendKey(port, frontend);
  const { address, otherwise, sources } = frontend;
  if (otherwise !== undefined)
    elements.push({
      container: address === undefined ? "no-endpoint-node-ports" : "no-endpoints",
      key,
      value: otherwise === "drop" ? "drop" : `goto ${rejectChain}`,
    });
  if (sources === undefined) return;
  const name = chainName("firewall", `${port.name}/${port.protocol}`);
  elements.push({ container: "firewall", key, value: `goto ${name}` });
  if (chains.has(name)) return;
  const { ip } = wordsOf(settings.family);
  chains.set(name, { name, rules: [`${ip} saddr != { ${disjointNetworks(sources).join(", ")} } drop`] });
}

/** A frontend whose backends are elements of the maps that all services share. */
function planFlat(
  draft: RuleDraft,
  port: PortFrontends,
  {
    frontend,
    inOrder,
  }: { frontend: Frontend; inOrder: (list: string, backends: readonly Backend[]) => readonly Backend[] },
): void {
  const { settings, elements } = draft;
  const { address, backends, insideBackends, masquerade } = frontend;
  const isNodePort = address === undefined;
  const { protocol } = port;
  const scope = { protocol, isNodePort };
  const count = insideBackends?.length ?? backends.length;
  if (count === 0) return;
  const chain =
    insideBackends !== undefined
      ? localPolicyChain(settings, scope, { inside: count, local: backends.length })
      : masquerade
        ? masqueradeChain(settings, scope, count)
        : directChain(settings, scope, count);
  draft.shared.push(chain);
  const key = frontendKey(port, frontend);
  elements.push({ container: isNodePort ? "node-ports" : "frontends", key, value: `goto ${chain.name}` });
  const put = (list: BackendList, wanted: readonly Backend[]): void => {
    const mapKey = isNodePort ? String(frontend.port) : `${address} . ${frontend.port}`;
    const container: BackendMap = `${protocol}-${list}`;
    for (const [at, backend] of inOrder(`${container} ${mapKey}`, wanted).entries())
      elements.push({ container, key: `${mapKey} . ${at}`, value: `${backend.address} . ${backend.port}` });
  };
  put(isNodePort ? "node-port-backends" : "backends", insideBackends ?? backends);
  if (insideBackends !== undefined) put(isNodePort ? "local-node-port-backends" : "local-backends", backends);
}
