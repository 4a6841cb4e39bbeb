import type { Clock } from "@coxswain/runtime/clock";
import { exponentialBuckets, type Metrics } from "@coxswain/runtime/metrics";

/** Users that upstream gives a label of their own. */
const namedUsers = new Set(["admin", "client", "kube_proxy", "kubelet", "system:serviceaccount:kube-system:default"]);

/** Names are as many as users: only a few become labels. */
const userLabel = (name: string): string => (namedUsers.has(name) ? name : name.includes("@") ? "email_id" : "other");

/** What is counted of who comes and what they may do. */
export interface AccessMetrics {
  /** To measure with, in milliseconds. */
  now(): number;
  /** "failure": nobody was named, where somebody must be; "error": credentials did not count. */
  authenticated(result: "success" | "failure" | "error", ms: number, userName: string): void;
  authorized(result: "allowed" | "denied" | "no-opinion" | "error", ms: number): void;
}

export function createAccessMetrics(metrics: Metrics, clock: Pick<Clock, "monotonic">): AccessMetrics {
  const buckets = exponentialBuckets(0.001, 2, 15);
  const users = metrics.counter({
    name: "authenticated_user_requests",
    help: "Requests whose sender is known, by the sender's name.",
    labels: ["username"],
    stability: "ALPHA",
  });
  const attempts = metrics.counter({
    name: "authentication_attempts",
    help: "Attempts to find out who sent a request, by how they went.",
    labels: ["result"],
    stability: "ALPHA",
  });
  const durations = metrics.histogram({
    name: "authentication_duration_seconds",
    help: "How long it took to find out who sent a request, in seconds.",
    labels: ["result"],
    buckets,
    stability: "ALPHA",
  });
  const decisions = metrics.counter({
    name: "authorization_attempts_total",
    help: "Questions whether a request is allowed, by the answer.",
    labels: ["result"],
    stability: "ALPHA",
  });
  const decisionDurations = metrics.histogram({
    name: "authorization_duration_seconds",
    help: "How long it took to find out whether a request is allowed, in seconds.",
    labels: ["result"],
    buckets,
    stability: "ALPHA",
  });
  return {
    now: () => clock.monotonic(),
    authenticated(result, ms, userName) {
      if (result === "success") users.of(userLabel(userName)).add(1);
      attempts.of(result).add(1);
      durations.of(result).observe(ms / 1000);
    },
    authorized(result, ms) {
      decisions.of(result).add(1);
      decisionDurations.of(result).observe(ms / 1000);
    },
  };
}
