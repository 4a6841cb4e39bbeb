import { createHash } from "node:crypto";
import type { Pod } from "@coxswain/api/core/v1";
import { builtInFeatureGates } from "@coxswain/api/feature-gates";
import { fieldErrorText } from "@coxswain/apimachinery/field";
import { encodeJson } from "@coxswain/apimachinery/json";
import { decodeYaml, parseYaml } from "@coxswain/apimachinery/yaml";
import { createFeatureGates } from "@coxswain/component/feature-gates";
import { podKind } from "@coxswain/kinds/core/pod";
import { fieldErrorsAtOnce } from "@coxswain/kinds/field-errors";
import { referencedKind } from "./object-references.js";

/** A manifest as it was found. */
export interface Manifest {
  readonly text: string;
  /** The path of the file, or the URL. */
  readonly source: string;
  readonly kind: "file" | "http";
}

export interface ManifestFacts {
  readonly nodeName: string;
  /** When the kubelet first saw it, in milliseconds since 1970. */
  readonly now: number;
}

export const hashKey = "kubernetes.io/config.hash";
const seenKey = "kubernetes.io/config.seen";
const sourceKey = "kubernetes.io/config.source";

/** So that problems of the node do not evict it. */
const staysOnNode = { operator: "Exists", effect: "NoExecute" } as const;

/**
 * Pure: the static pods of a manifest, with defaults, named for the node, with an UID that follows from their content and
 * place: a changed manifest is another pod. A URL may answer with a PodList.
 * @throws Error in upstream's words
 */
export function readManifest(manifest: Manifest, facts: ManifestFacts): Pod[] {
  const { value } = parseYaml(manifest.text);
  const { kind, items } = (value ?? {}) as { kind?: string; items?: unknown };
  if (kind === "PodList" && manifest.kind === "http")
    return (Array.isArray(items) ? items : []).map((item) => staticPod(item, manifest, facts));
  if (kind !== "Pod")
    throw new Error(`${manifest.source}: couldn't parse as pod(found ${kind ?? "no kind"}), please check config file`);
  return [staticPod(value, manifest, facts)];
}

function staticPod(value: unknown, manifest: Manifest, facts: ManifestFacts): Pod {
  const isFile = manifest.kind === "file";
  const { object } = decodeYaml(encodeJson(value), podKind.schema, { strict: false });
  const pod = object as Pod & { kind?: string; apiVersion?: string };
  if (!pod.metadata?.name) throw new Error("invalid pod: name is needed for the pod");
  podKind.setDefaults?.(pod as never);
  const place = isFile ? `host:${facts.nodeName}file:${manifest.source}` : `url:${manifest.source}`;
  const uid = pod.metadata.uid || createHash("md5").update(encodeJson(pod, podKind.schema)).update(place).digest("hex");
  const { spec } = pod;
  if (!spec) throw new Error("invalid pod: spec is needed for the pod");
  const made: Pod = {
    ...pod,
    metadata: {
      ...pod.metadata,
      uid,
      name: `${pod.metadata.name}-${facts.nodeName.toLowerCase()}`,
      namespace: pod.metadata.namespace || "default",
      annotations: {
        ...pod.metadata.annotations,
        [hashKey]: uid,
        [seenKey]: new Date(facts.now).toISOString(),
        [sourceKey]: manifest.kind,
      },
    },
    spec: {
      ...spec,
      nodeName: facts.nodeName,
      ...(isFile && { tolerations: [...(spec.tolerations ?? []).filter(isOther), staysOnNode] }),
    },
    status: { phase: "Pending" },
  };
  const problems = fieldErrorsAtOnce(podKind.strategy.validateCreate?.(made as never, { now: facts.now, gates }));
  if (problems.length > 0) throw new Error(`invalid pod: [${problems.map(fieldErrorText).join(", ")}]`);
  const referenced = made.spec && referencedKind(made.spec);
  if (referenced !== undefined) throw new Error(`static pods may not reference ${referenced}`);
  return made;
}

const gates = createFeatureGates(builtInFeatureGates);

const isOther = (toleration: { key?: string; operator?: string; value?: string; effect?: string }): boolean =>
  toleration.key !== undefined || toleration.operator !== "Exists" || toleration.effect !== "NoExecute";
