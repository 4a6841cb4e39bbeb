import type { HandlerDeps } from "../../endpoints/handler-deps.js";
import type { Streams } from "./create-streams.js";

/** What handlers rest on that connect a client with a node, a pod or a service. */
export interface StreamDeps extends HandlerDeps {
  readonly streams: Streams;
}
