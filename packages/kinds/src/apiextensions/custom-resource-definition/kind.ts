import type { ServiceReference } from "@coxswain/api/apiextensions/v1";
import { builtInKind } from "../../built-in/built-in-kind.js";
import { createdAtColumns } from "../../definition/created-at-columns.js";
import type { StoredCustomResourceDefinition } from "./stored.js";
import { customResourceDefinitionStatusStrategy, customResourceDefinitionStrategy } from "./strategy.js";

export type { StoredCustomResourceDefinition };

export const customResourceDefinitionKind = builtInKind<StoredCustomResourceDefinition>(
  "apiextensions.k8s.io",
  "v1",
  "customresourcedefinitions",
  {
    setDefaults({ spec, status }) {
      const { names } = spec;
      names.singular ||= (names.kind ?? "").toLowerCase();
      if (names.kind) names.listKind ||= `${names.kind}List`;
      spec.conversion ??= { strategy: "None" };
      const { webhook } = spec.conversion;
      if (webhook && !webhook.clientConfig && !webhook.conversionReviewVersions) delete spec.conversion.webhook;
      const stored = (spec.versions ?? []).find(({ storage }) => storage);
      if ((status.storedVersions ?? []).length === 0 && stored) status.storedVersions = [stored.name];
    },
    typeDefaults: {
      "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.ServiceReference"(service: ServiceReference) {
        service.port ??= 443;
      },
    },
    ownGates: ["CRDObservedGenerationTracking"],
    strategy: customResourceDefinitionStrategy,
    views: { status: customResourceDefinitionStatusStrategy },
    columns: createdAtColumns,
  },
);
