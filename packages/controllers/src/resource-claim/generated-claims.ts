import { getOwn } from "@coxswain/apimachinery/own";
import type { CachedResourceClaim, ClaimUser } from "../resource-claims/claim-user.js";
import { podClaimAnnotation } from "./plan-user.js";

/** Which claims were generated for whom, also those that the cache has not seen: two for one entry would be one too many. */
export interface GeneratedClaims {
  find(user: ClaimUser, entryName: string): string | undefined;
  created(user: ClaimUser, entryName: string, claim: CachedResourceClaim): void;
  /** The cache has it, or had it. */
  seen(claim: CachedResourceClaim): void;
}

export function createGeneratedClaims(claimsOfOwner: (uid: string) => readonly CachedResourceClaim[]): GeneratedClaims {
  /** Names by uid of the owner and entry; keys by uid of the claim. */
  const unseen = new Map<string, string>();
  const keys = new Map<string, string>();
  const keyOf = ({ metadata }: ClaimUser, entryName: string): string => `${metadata.uid}/${entryName}`;
  return {
    find: (user, entryName) =>
      claimsOfOwner(user.metadata.uid ?? "").find(
        ({ metadata }) => getOwn(metadata?.annotations, podClaimAnnotation) === entryName,
      )?.metadata?.name ?? unseen.get(keyOf(user, entryName)),
    created(user, entryName, { metadata }) {
      unseen.set(keyOf(user, entryName), metadata?.name ?? "");
      keys.set(metadata?.uid ?? "", keyOf(user, entryName));
    },
    seen({ metadata }) {
      const key = keys.get(metadata?.uid ?? "");
      if (key === undefined) return;
      keys.delete(metadata?.uid ?? "");
      unseen.delete(key);
    },
  };
}
