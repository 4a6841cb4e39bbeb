import { type Backend, backendKey, type Frontend, type PortFrontends } from "../frontends/frontend.js";
import { chainName } from "./chain-name.js";
import { frontendKey } from "./frontend-key.js";
import type { RuleDraft } from "./rule-draft.js";
import { localPolicyRules } from "./shared-chains.js";
import { markStatement, wordsOf } from "./table-settings.js";

/**
 * `sessionAffinity: ClientIP`: a set of clients for each backend, with a time-out that every connection renews, and a chain for each
 * backend and policy, as kube-proxy has them. nft 1.0 cannot do it with one map for all services (a key of variable size).
 */
export function affinityRules(draft: RuleDraft, port: PortFrontends): void {
  const { ip } = wordsOf(draft.settings.family);
  for (const backend of port.reachable) {
    const set = affinitySet(port, backend);
    draft.affinitySets.set(set, port.affinitySeconds ?? 0);
    addChain(draft, backendName("endpoint", port, backend), [
      `update @${set} { ${ip} saddr }`,
      `meta l4proto ${port.protocol} dnat to ${backendKey(backend)}`,
    ]);
  }
  for (const frontend of port.frontends) {
    const { address, backends, insideBackends = backends } = frontend;
    if (insideBackends.length === 0) continue;
    const target =
      frontend.kind === "ClusterIP" ? chooser(draft, port, "internal", backends) : external(draft, port, frontend);
    draft.elements.push({
      container: address === undefined ? "node-ports" : "frontends",
      key: frontendKey(port, frontend),
      value: `goto ${target}`,
    });
  }
}

const nameOf = (kind: string, port: PortFrontends): string => chainName(kind, `${port.name}/${port.protocol}`);

const backendName = (kind: string, port: PortFrontends, backend: Backend): string =>
  chainName(kind, `${port.name}/${port.protocol}/${backendKey(backend)}`);

/** The time-out is part of the name: nft cannot change that of a set which is there. */
const affinitySet = (port: PortFrontends, backend: Backend): string =>
  chainName("affinity", `${port.name}/${port.protocol}/${backendKey(backend)}/${port.affinitySeconds}s`);

/** Adds a chain that several frontends may share. Answers its name. */
function addChain({ chains }: RuleDraft, name: string, rules: readonly string[]): string {
  if (!chains.has(name)) chains.set(name, { name, rules });
  return name;
}

/** Chooses among these backends: the one that remembers the client, or any. */
function chooser(draft: RuleDraft, port: PortFrontends, kind: string, backends: readonly Backend[]): string {
  const { ip } = wordsOf(draft.settings.family);
  const known = backends.map(
    (one) => `${ip} saddr @${affinitySet(port, one)} goto ${backendName("endpoint", port, one)}`,
  );
  const any = backends.map((one, at) => `${at} : goto ${backendName("endpoint", port, one)}`);
  return addChain(draft, nameOf(kind, port), [
    ...known,
    `numgen random mod ${backends.length} vmap { ${any.join(", ")} }`,
  ]);
}

function external(draft: RuleDraft, port: PortFrontends, { backends, insideBackends, masquerade }: Frontend): string {
  const { settings } = draft;
  const name = nameOf("external", port);
  if (insideBackends === undefined) {
    const all = chooser(draft, port, "cluster", backends);
    return addChain(draft, name, [...(masquerade ? [markStatement(settings)] : []), `goto ${all}`]);
  }
  const inside = chooser(draft, port, "cluster", insideBackends);
  const local = backends.length === 0 ? undefined : chooser(draft, port, "local", backends);
  return addChain(draft, name, localPolicyRules(settings, inside, local));
}
