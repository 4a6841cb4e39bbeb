import { describe, expect, it } from "vitest";
import { planProtection } from "./plan.js";

describe("the finalizer that keeps an object while it is used", () => {
  const ours = "example.com/protection";
  const deletionTimestamp = "2026-01-01T00:00:00Z";
  const rows = [
    {
      name: "is added to an object without one",
      metadata: { finalizers: ["other"] },
      isUsed: false,
      plan: ["other", ours],
    },
    { name: "stays while nobody deletes the object", metadata: { finalizers: [ours] }, isUsed: false, plan: undefined },
    {
      name: "stays while the object is used",
      metadata: { deletionTimestamp, finalizers: [ours] },
      isUsed: true,
      plan: undefined,
    },
    {
      name: "goes once nobody uses it",
      metadata: { deletionTimestamp, finalizers: [ours, "other"] },
      isUsed: false,
      plan: ["other"],
    },
    {
      name: "is not added to an object that is being deleted",
      metadata: { deletionTimestamp, finalizers: ["other"] },
      isUsed: false,
      plan: undefined,
    },
  ];
  for (const { name, metadata, isUsed, plan } of rows)
    it(name, () => expect(planProtection({ metadata }, ours, isUsed)).toEqual(plan));
});
