import { guessResource } from "@coxswain/apimachinery/rest-mapper";
import { handleGet } from "../endpoints/get.js";
import type { HandlerDeps } from "../endpoints/handler-deps.js";
import type { HandlerName, RegisteredHandlers } from "../endpoints/registered-handlers.js";
import type { VerbHandler } from "../endpoints/verb-handler.js";
import { handleScaleGet, handleScalePatch, handleScaleUpdate } from "../registry/scale/handlers.js";
import type { ApiGroup } from "./api-group.js";
import type { ServedKind } from "./own-kind-parts.js";
import { storageHandlers } from "./resources/storage-handlers.js";
import { connectHandler } from "./subresources/connect-handler.js";
import { isConnecting } from "./subresources/own-subresource.js";
import { plainHandlers } from "./subresources/subresource-handlers.js";

type Verbs = Readonly<Record<string, VerbHandler>>;

/** What can be done to the scale of a kind that has one. */
const scaleVerbs = { get: handleScaleGet, update: handleScaleUpdate, patch: handleScalePatch } as unknown as Verbs;

/** Handlers for subresources of one's own, and for what is not in the server's store. */
export function ownHandlers(groups: readonly ApiGroup[]): RegisteredHandlers<HandlerDeps> {
  const special = new Map<string, Verbs>();
  const connecting = new Map<string, VerbHandler>();
  for (const { name: group, kinds } of groups)
    for (const kind of kinds as readonly ServedKind[]) {
      const resource = `${group}/${kind.plural ?? guessResource(kind.kind).resource}`;
      const stored = kind.storage && storageHandlers(kind.storage);
      const read = stored?.["get"] ?? handleGet;
      if (stored) for (const view of ["", "status"]) special.set(`${resource}/${view}`, stored);
      if (kind.scale && !kind.storage) special.set(`${resource}/scale`, scaleVerbs);
      for (const [name, subresource] of Object.entries(kind.subresources ?? {}))
        if (isConnecting(subresource)) connecting.set(`${resource}/${name}`, connectHandler(subresource, read));
        else special.set(`${resource}/${name}`, plainHandlers(subresource, read));
    }
  return {
    connect: (name) => connecting.get(keyOf(name)),
    special: (name) => special.get(keyOf(name))?.[name.verb],
  };
}

const keyOf = ({ group, resource, subresource }: HandlerName): string => `${group}/${resource}/${subresource}`;
