import type { AnyKind } from "@coxswain/kinds";
import type { MemoryBudget } from "@coxswain/runtime/memory-budget";
import type { KeyRecord } from "@coxswain/storage";
import type { Authorizer } from "../authorization/attributes.js";
import type { ListPins } from "../cache/list-pins.js";
import type { ObjectDeps } from "../objects/object-deps.js";
import type { RequestInfo } from "../request/request-info.js";
import type { UserInfo } from "../request/user-info.js";
import type { OpenStreams } from "./until-stopped.js";

/** The records of a kind at a revision that the store no longer has; undefined: they are not kept, or not for this user. */
export type PastStates = (asked: {
  readonly kind: AnyKind;
  /** "" for all. */
  readonly namespace: string;
  readonly revision: number;
  readonly user: UserInfo;
}) => Promise<readonly KeyRecord[] | undefined>;

/** What the verbs rest on. */
export interface HandlerDeps extends ObjectDeps {
  /** @default a list of a compacted revision is refused */
  readonly pastStates?: PastStates | undefined;
  readonly pins: ListPins;
  /** What authorization asks; reviews and a PUT that creates ask it again. */
  readonly authorizer: Authorizer;
  /** Watches over WebSockets are among them. */
  readonly streams: OpenStreams;
  /** Bodies longer than this are refused with 413. */
  readonly maxBodyBytes: number;
  /** What requests with large bodies may hold together. */
  readonly memory: MemoryBudget;
  /** Called with the length of each body. */
  readonly bodyRead?: (info: RequestInfo, bytes: number) => void;
  /** A watch without a timeout of its own ends after a time between this and twice this. */
  readonly minWatchMs: number;
}
