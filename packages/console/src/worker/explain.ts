import type { RestClient } from "@coxswain/client";
import type { GraphPicture } from "../contract/graph.js";
import type { AccessExplained, Calls, Explained, KubernetesValue, ObjectRef } from "../contract/messages.js";
import type { Catalogue } from "./catalogue.js";
import { readCausedChanges } from "./changes.js";
import { causeGraph } from "./graph/cause-graph.js";
import { placeGraph } from "./graph/place-graph.js";

const apiVersion = "history.coxswain.dev/v1alpha1";
const root = `/apis/${apiVersion}`;

const apiVersionOf = ({ group, version }: ObjectRef): string => (group === "" ? version : `${group}/${version}`);

/** Why an object is as it is, in the server's sentences: each is the cause of the one before it. */
export async function explainObject(
  rest: RestClient,
  { ref, revision }: Calls["explain"]["params"],
): Promise<Explained> {
  const object = {
    apiVersion: apiVersionOf(ref),
    resource: ref.resource,
    name: ref.name,
    ...(ref.namespace !== "" && { namespace: ref.namespace }),
  };
  const spec = { object, ...(revision !== "" && { revision: Number(revision) }) };
  const {
    chain = [],
    end = "unknown",
    notes = [],
  } = (await ask(rest, "Explanation", spec)) as {
    chain?: readonly { text: string; certainty?: string; change?: { revision: number; namespace?: string } }[];
    end?: string;
    notes?: readonly string[];
  };
  return {
    steps: chain.map(({ text, certainty = "", change }) => ({
      text,
      certainty,
      revision: String(change?.revision ?? ""),
    })),
    end,
    notes,
  };
}

/** Changes of the namespace that are looked through for causes and effects. */
const searched = 1000;

/** The causes and effects of a change, as a picture. */
export async function drawCauses(
  { rest, catalogue }: { readonly rest: RestClient; readonly catalogue: Catalogue },
  { ref, revision }: Calls["causes"]["params"],
): Promise<GraphPicture> {
  const changes = await readCausedChanges(rest, catalogue, {
    namespace: ref.namespace,
    fieldSelector: "",
    limit: searched,
  });
  return placeGraph(causeGraph(changes, Number(revision)));
}

/** Why a request is allowed or not, and which bindings nearly allow it. */
export async function explainAccess(
  rest: RestClient,
  { user, groups, namespace, group, resource, verb }: Calls["nearMisses"]["params"],
): Promise<AccessExplained> {
  const spec = {
    ...(user !== "" && { user, groups: [...groups, "system:authenticated"] }),
    resourceAttributes: { verb, group, resource, ...(namespace !== "" && { namespace }) },
  };
  const { text = "", nearMisses = [] } = (await ask(rest, "AccessExplanation", spec)) as {
    text?: string;
    nearMisses?: readonly {
      binding: { kind: string; namespace?: string; name: string };
      role: { kind: string; name: string };
      text: string;
    }[];
  };
  return {
    text,
    nearMisses: nearMisses.map(({ binding, role, text: lack }) => ({
      binding: `${binding.kind} ${binding.namespace === undefined ? "" : `${binding.namespace}/`}${binding.name}`,
      role: `${role.kind} ${role.name}`,
      lack,
    })),
  };
}

async function ask(rest: RestClient, kind: "Explanation" | "AccessExplanation", spec: object): Promise<object> {
  const answer = (await rest.send({
    method: "POST",
    path: `${root}/${kind.toLowerCase()}s`,
    body: { as: "value", value: { apiVersion, kind, spec } },
  })) as KubernetesValue;
  return answer["status"] ?? {};
}
