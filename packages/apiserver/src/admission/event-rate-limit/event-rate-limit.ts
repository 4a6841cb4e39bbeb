import type { Event } from "@coxswain/api/core/v1";
import { aggregateText } from "@coxswain/apimachinery/field";
import { StatusError } from "@coxswain/apimachinery/status";
import type { AdmissionAttributes, AdmissionPlugin } from "../admission.js";
import type { Limit } from "./configuration.js";

const defaultBuckets = 4096;

interface Bucket {
  tokens: number;
  /** Milliseconds. */
  at: number;
}

/** Events are many and of little worth: a rate limiter refuses those over the limits. */
export function createEventRateLimit(limits: readonly Limit[], clock: { monotonic(): number }): AdmissionPlugin {
  const enforcers = limits.map((limit) => createEnforcer(limit, clock));
  return {
    name: "EventRateLimit",
    operations: ["CREATE", "UPDATE"],
    validate(attributes) {
      const { kind, dryRun, request } = attributes;
      if (kind.group !== "" || kind.kind !== "Event" || dryRun) return;
      // Events of events.k8s.io are another kind to upstream, and not limited.
      if (request?.version) return;
      // Each is asked, so that each counts what comes.
      const text = aggregateText(enforcers.flatMap((enforce) => enforce(attributes) ?? []));
      if (text !== undefined)
        throw new StatusError({ code: 429, reason: "TooManyRequests", message: `Too many requests: ${text}` });
    },
  };
}

/** Answers with why not. */
function createEnforcer(
  { type, qps, burst, cacheSize }: Limit,
  clock: { monotonic(): number },
): (attributes: AdmissionAttributes) => string | undefined {
  const buckets = new Map<string, Bucket>();
  const most = type === "Server" ? 1 : cacheSize || defaultBuckets;
  return (attributes) => {
    const key = keys[type](attributes);
    const now = clock.monotonic();
    const before = buckets.get(key) ?? { tokens: burst, at: now };
    const tokens = Math.min(burst, before.tokens + ((now - before.at) / 1000) * qps);
    const isFine = tokens >= 1;
    buckets.delete(key); // the one used last is the last to be forgotten
    buckets.set(key, { tokens: isFine ? tokens - 1 : tokens, at: now });
    if (buckets.size > most) buckets.delete(buckets.keys().next().value ?? "");
    return isFine ? undefined : `limit reached on type ${type} for key ${key}`;
  };
}

const keys: Readonly<Record<Limit["type"], (attributes: AdmissionAttributes) => string>> = {
  Server: () => "",
  Namespace: ({ namespace }) => namespace,
  User: ({ user }) => user.name,
  SourceAndObject({ object }) {
    const { source, involvedObject: about } = object as Event;
    return [
      source?.component,
      source?.host,
      about?.kind,
      about?.namespace,
      about?.name,
      about?.uid,
      about?.apiVersion,
    ].join("");
  },
};
