import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { Authorizer } from "../../authorization/attributes.js";
import type { CacheFeed } from "../../cache/cache-feed.js";
import { createLister } from "../../cache/lister.js";
import { objectKey } from "../../cache/object-key.js";
import type { Catalogue } from "../../catalogue/catalogue.js";
import { storedKind } from "../../catalogue/stored-kind.js";
import type { WriteAuthorization } from "../../objects/write-authorization.js";
import { createParamKindCheck, createParamRefCheck } from "./authorize-params.js";

const group = "admissionregistration.k8s.io";

/** The checks of the four kinds of admission policies and their bindings, by storage prefix. */
export function createParamChecks(
  feed: CacheFeed,
  catalogue: Pick<Catalogue, "kinds">,
  authorizer: Authorizer,
): ReadonlyMap<string, WriteAuthorization> {
  const deps = { authorizer, kinds: () => catalogue.kinds() };
  const sorts = ["validating", "mutating"] as const;
  return new Map(
    sorts.flatMap((sort) => {
      const policies = storedKind(group, `${sort}admissionpolicies`);
      const bindings = storedKind(group, `${sort}admissionpolicybindings`);
      const lister = createLister<KubernetesObject>(feed.cacheOf(policies));
      const policyOf = (name: string): KubernetesObject | undefined => lister.get(objectKey(policies, "", name));
      return [
        [policies.storagePrefix, createParamKindCheck(deps)],
        [bindings.storagePrefix, createParamRefCheck({ ...deps, policyOf, sort })],
      ] as const;
    }),
  );
}
