import type { Scope } from "@coxswain/api/quota";
import { fieldErrorsText, fieldPath, required } from "@coxswain/apimachinery/field";
import type { PluginConfiguration } from "../configuration/plugin-configuration.js";
import { readConfiguration } from "../configuration/read-configuration.js";

/** Something that may be used only where a quota limits it. */
export interface LimitedResource {
  readonly apiGroup: string;
  readonly resource: string;
  /** Parts of the names of resources that need a quota. */
  readonly matchContains: readonly string[];
  /** Scopes whose objects need a quota of the same scope. */
  readonly matchScopes: readonly Scope[];
}

/** ResourceQuotaConfiguration: what nobody may use without a quota. */
export function readQuotaConfiguration(configuration: PluginConfiguration | undefined): LimitedResource[] {
  if (!configuration) return [];
  const { limitedResources = [] } = readConfiguration<{ limitedResources?: Partial<LimitedResource>[] }>(
    configuration,
    {
      "resourcequota.admission.k8s.io/v1alpha1": "Configuration",
      "resourcequota.admission.k8s.io/v1beta1": "Configuration",
      "apiserver.config.k8s.io/v1": "ResourceQuotaConfiguration",
    },
  );
  const problems = limitedResources.flatMap(({ resource }, i) =>
    resource ? [] : [required(fieldPath("limitedResources").index(i).child("resource"))],
  );
  const text = fieldErrorsText(problems);
  if (text !== undefined) throw new Error(text);
  return limitedResources.map(({ apiGroup = "", resource = "", matchContains = [], matchScopes = [] }) => ({
    apiGroup,
    resource,
    matchContains,
    matchScopes,
  }));
}
