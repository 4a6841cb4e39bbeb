import { setTimeout as sleep } from "node:timers/promises";
import { type RandomSource, randomInt } from "@coxswain/runtime/random";
import type { Content, Operation, Read, Request } from "../history/operation.js";
import { labelMember } from "../history/stored-object.js";
import type { Sender } from "./perform.js";

export const keys = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"] as const;

export interface WriterOptions {
  readonly client: string;
  /** One for each API server, or one for all. */
  readonly senders: readonly Sender[];
  readonly random: RandomSource;
  readonly signal: AbortSignal;
  record(operation: Operation): void;
}

/** What it has last seen of each object, from which it makes its preconditions: often they are outdated, as they should be. */
type Known = Map<string, { readonly revision: number; readonly uid: string }>;

/** Sends one request after the other until it is aborted. It stays with a server for a while, and leaves one that does not answer. */
export async function runWriter({ client, senders, random, signal, record }: WriterOptions): Promise<void> {
  const known: Known = new Map();
  let newest = 0;
  let at = randomInt(senders.length, random);
  for (let count = 0; !signal.aborted; count++) {
    const id = `${client}-${count}`;
    const sender = senders[at % senders.length]!;
    const operation = await sender.perform(id, drawRequest(client, id, random, known, newest));
    record(operation);
    newest = Math.max(newest, learn(known, operation));
    if (operation.outcome.kind === "unknown" || random.next() < 0.05) at++;
    await sleep(5 + randomInt(40, random));
  }
}

function learn(known: Known, { request, outcome }: Operation): number {
  if (outcome.kind === "listed") {
    for (const object of outcome.objects) known.set(object.key, object);
    return outcome.revision;
  }
  if (outcome.kind !== "done" || !outcome.object || request.verb === "list") return 0;
  known.set(request.key, outcome.object);
  return outcome.object.revision;
}

function drawRequest(client: string, id: string, random: RandomSource, known: Known, newest: number): Request {
  const key = keys[randomInt(keys.length, random)]!;
  const content: Content = { write: id, [client]: id, [labelMember]: random.next() < 0.5 ? "even" : "odd" };
  const seen = known.get(key);
  const chance = random.next();
  if (chance < 0.16) return { verb: "create", key, content };
  if (chance < 0.32) return { verb: "replace", key, content, ...(seen && { expected: seen.revision }) };
  if (chance < 0.38) return { verb: "replace", key, content };
  if (chance < 0.48) return { verb: "merge", key, content };
  if (chance < 0.58) return { verb: "apply", key, content };
  if (chance < 0.63) return { verb: "delete", key };
  if (chance < 0.68) return { verb: "delete", key, ...(seen && { expected: seen.revision, uid: seen.uid }) };
  if (chance < 0.84) return { verb: "get", key, read: drawRead(random, newest) };
  return { verb: "list", read: drawRead(random, newest, true) };
}

function drawRead(random: RandomSource, newest: number, exact = false): Read {
  const chance = random.next();
  if (chance < 0.7 || newest === 0) return "newest";
  if (chance < 0.8) return "any";
  return exact && chance < 0.9 ? { exactly: newest } : { notOlderThan: newest };
}
