import type { AnyKind } from "@coxswain/kinds";
import type { RequestInfo } from "../request/request-info.js";
import type { HandlerDeps } from "./handler-deps.js";
import type { VerbHandler } from "./verb-handler.js";

/** The names by which a handler is found. */
export type HandlerName = Pick<RequestInfo, "group" | "resource" | "subresource" | "verb">;

/** Handlers for what is not read and written like every other object. They are registered where the router is made; undefined: there is none. */
export interface RegisteredHandlers<Deps extends HandlerDeps> {
  /** A subresource that connects the client with somebody else (exec, proxy, log), whatever the method. */
  connect(name: HandlerName): VerbHandler<Deps> | undefined;
  /** One verb of one resource or subresource, instead of the general handler of the verb. */
  special(name: HandlerName, kind: AnyKind): VerbHandler<Deps> | undefined;
}
