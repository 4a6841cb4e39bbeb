import type { OpenFrame } from "@coxswain/client/socket";

/** Why something is not done: a status for HTTP, the message for both. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
}

/** An HTTP request as it arrived, handshakes of WebSockets included. */
export interface RequestFacts {
  readonly method: string;
  /** The request target as sent. */
  readonly target: string;
  /** Joined lines; names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** How often a header came that may come once. */
  readonly hosts: number;
  readonly remoteAddress: string;
  readonly isUpgrade: boolean;
  /** The port that is listened on. */
  readonly port: number;
  /** `http` or `https`. */
  readonly scheme: string;
  /** Names of this server beside the loopback ones, where it listens elsewhere. */
  readonly names: readonly string[];
}

/** A code that somebody wants to exchange for a session key. */
export interface ExchangeFacts {
  readonly bodyBytes: number;
  readonly contentType: string;
  /** Undefined: no such code was made. */
  readonly made: { readonly at: number; readonly isUsed: boolean } | undefined;
  readonly now: number;
  readonly lastMinute: number;
  readonly sessions: number;
}

/** The first message of a WebSocket. */
export interface HelloFacts {
  readonly isText: boolean;
  readonly bytes: number;
  /** Whether the key belongs to a session. */
  readonly isKnown: boolean;
}

/** A later message of a WebSocket. */
export interface FrameFacts {
  readonly isText: boolean;
  readonly bytes: number;
  readonly kind: number;
  readonly stream: number;
  readonly lastStream: number;
  readonly openStreams: number;
  /** Of this stream's request body, this frame included. */
  readonly bodyBytes: number;
  /** Of the session, this frame included. */
  readonly bytesInFlight: number;
  /** Of this stream, this frame included; 0 for other kinds of frames. */
  readonly credit: number;
  /** It carries data of an upgraded stream, which is passed on at once. */
  readonly isMessage: boolean;
}

/** A request that a page wants to send to the API server. */
export interface OpenFacts {
  readonly open: OpenFrame;
  /** Decoded; undefined where it cannot be. */
  readonly segments: readonly string[] | undefined;
  readonly readOnly: boolean;
  /** Ports that this session has open. */
  readonly forwards: number;
  /** The relay has the clock of a test's cluster. */
  readonly hasClock: boolean;
}

/** A connection to a port that leads to a pod. */
export interface ConnectionFacts {
  readonly remoteAddress: string;
  /** Those of the same port, without this one. */
  readonly connections: number;
}

interface Stages {
  readonly request: RequestFacts;
  readonly exchange: ExchangeFacts;
  readonly hello: HelloFacts;
  readonly frame: FrameFacts;
  readonly open: OpenFacts;
  readonly connection: ConnectionFacts;
}

interface Rule<Stage extends keyof Stages> {
  readonly name: string;
  refuse(facts: Stages[Stage]): Refusal | undefined;
}

/** One rule at one stage. Pure: it decides by the facts alone. */
export type Guard = { [Stage in keyof Stages]: Rule<Stage> & { readonly at: Stage } }[keyof Stages];

export const guardsAt = <Stage extends keyof Stages>(at: Stage, rules: readonly Rule<Stage>[]): readonly Guard[] =>
  rules.map((rule) => ({ ...rule, at }) as Guard);

/** The first refusal of the guards of a stage, from top to bottom. */
export function firstRefusal<Stage extends keyof Stages>(
  guards: readonly Guard[],
  stage: Stage,
  facts: Stages[Stage],
): Refusal | undefined {
  for (const guard of guards) {
    if (guard.at !== stage) continue;
    const refusal = (guard.refuse as (facts: Stages[Stage]) => Refusal | undefined)(facts);
    if (refusal) return refusal;
  }
  return undefined;
}
