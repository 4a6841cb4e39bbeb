import { createHash } from "node:crypto";
import { formatGroupVersion } from "@coxswain/apimachinery/meta";
import type { AnyKind, StoredForm } from "@coxswain/kinds";
import {
  customKind,
  type Definition,
  isConditionTrue,
  type RuleCompiler,
  type VersionSpec,
} from "@coxswain/kinds/custom-resources";
import type { CustomResource } from "./served-custom-kinds.js";

export interface CustomResourceDeps {
  readonly ruleCompiler?: RuleCompiler;
  /** How objects of a definition with several versions become those of another version. */
  converterOf(definition: Definition): StoredForm["convert"];
}

const sha256 = (text: string): Uint8Array => createHash("sha256").update(text).digest();

/** What a definition makes the server serve. Definitions of versions are made when they are needed first: many are never asked for. */
export function customResource(definition: Definition, deps: CustomResourceDeps): CustomResource {
  const { spec, status } = definition;
  const apiVersionOf = ({ name }: VersionSpec): string => formatGroupVersion({ group: spec.group, version: name });
  const stored = spec.versions.find(({ storage }) => storage);
  if (!stored) throw new Error(`${definition.metadata.name ?? ""} has no stored version`);
  const made = new Map<string, AnyKind>();
  const kindOf = (version: VersionSpec): AnyKind => {
    let kind = made.get(version.name);
    if (!kind) made.set(version.name, (kind = makeKind(version)));
    return kind;
  };
  const storedForm: StoredForm = {
    apiVersion: apiVersionOf(stored),
    apiVersions: spec.versions.map(apiVersionOf),
    convert: deps.converterOf(definition),
    typesOf(apiVersion) {
      const version = spec.versions.find((each) => apiVersionOf(each) === apiVersion);
      return version && kindOf(version);
    },
  };
  /** Where there is one version and there never was another, nothing needs converting. */
  const isConverted = spec.versions.length > 1 || (status?.storedVersions ?? []).some((name) => name !== stored.name);
  const isEnding = isConditionTrue(definition, "Terminating");
  function makeKind(version: VersionSpec): AnyKind {
    const { ruleCompiler } = deps;
    const kind = customKind(definition, version, {
      sha256,
      ...(ruleCompiler && { ruleCompiler }),
      ...(isConverted && { storedForm }),
    });
    return isEnding
      ? { ...kind, refuseCreation: "create not allowed while custom resource definition is terminating" }
      : kind;
  }
  return { stored: kindOf(stored), served: spec.versions.filter(({ served }) => served).map(kindOf) };
}
