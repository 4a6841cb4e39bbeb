import type { NodeAffinity } from "@coxswain/api/core/v1";
import { compileNodeSelector, compilePreferredTerms, preferenceOf } from "@coxswain/api/placement";
import type { DeepReadonly } from "@coxswain/api/types";
import { actions, clusterEvent } from "../../framework/cluster-event.js";
import { type Plugin, refuse, skip } from "../../framework/plugin.js";
import { unresolvable } from "../../framework/status.js";
import type { Node, NodeSelectorTerm, Pod } from "../../pod/objects.js";
import { normalizeScores } from "../normalize-scores.js";

export interface NodeAffinityArgs {
  /** Holds for every pod besides its own. */
  readonly addedAffinity?: DeepReadonly<NodeAffinity>;
}

const name = "NodeAffinity";
const refusedByPod = unresolvable(name, "node(s) didn't match Pod's node affinity/selector");
const refusedByAdded = unresolvable(name, "node(s) didn't match scheduler-enforced node affinity");
const conflict = unresolvable(name, "pod affinity terms conflict");

/** The node selector and the node affinity of a pod, and what the configuration adds to them. */
export function createNodeAffinity({ addedAffinity }: NodeAffinityArgs): Plugin {
  const addedRequired = addedAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const added = addedRequired && compileNodeSelector(addedRequired);
  const addedTerms = compilePreferredTerms(addedAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []);
  return {
    name,
    events: [
      {
        event: clusterEvent("Node", actions.add | actions.updateNodeLabel),
        hint({ requiredNodeMatch: matches }, old, object) {
          if (added && !added(object as Node)) return false;
          if (matches && !matches(object as Node)) return false;
          return old === undefined || (matches !== undefined && !matches(old as Node));
        },
      },
    ],
    preFilter({ pod: { pod, requiredNodeMatch: matches } }) {
      if (matches === undefined && added === undefined) return skip;
      const nodeNames = namedNodes(pod);
      if (nodeNames?.size === 0) return refuse(conflict);
      return {
        kind: "filter",
        filter: {
          filter({ node }) {
            if (node === undefined || (added && !added(node))) return refusedByAdded;
            return matches === undefined || matches(node) ? undefined : refusedByPod;
          },
        },
        ...(nodeNames && { nodeNames }),
      };
    },
    preScore({ pod: { pod } }) {
      const preferred = pod.spec?.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution;
      if (preferred === undefined && addedTerms.length === 0) return skip;
      const terms = [...addedTerms, ...compilePreferredTerms(preferred ?? [])];
      return {
        kind: "score",
        scorer: {
          score: ({ node }) => (node ? preferenceOf(terms, node) : 0),
          normalize: (scores) => normalizeScores(scores, false),
        },
      };
    },
  };
}

/** The names that the terms give, where every term names its nodes: a daemon's pod is tried on one node only. */
function namedNodes(pod: Pod): ReadonlySet<string> | undefined {
  const terms = pod.spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  if (terms === undefined || terms.length === 0) return undefined;
  const names = new Set<string>();
  for (const term of terms) {
    const ofTerm = namesOf(term);
    if (ofTerm === undefined) return undefined;
    for (const one of ofTerm) names.add(one);
  }
  return names;
}

function namesOf(term: NodeSelectorTerm): ReadonlySet<string> | undefined {
  let names: ReadonlySet<string> | undefined;
  for (const { key, operator, values } of term.matchFields ?? []) {
    if (key !== "metadata.name" || operator !== "In") continue;
    const before = names;
    names = new Set((values ?? []).filter((value) => before === undefined || before.has(value)));
  }
  return names;
}
