import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { describe, it } from "vitest";
import { fieldErrorsAtOnce } from "../definition/field-errors.js";
import type { ApiKind, ApiSchema, ApiVersion } from "./api-kind.js";
import { hasRules } from "./has-rules.js";
import { ownKind } from "./own-kind.js";

const sha256 = (text: string): Uint8Array => createHash("sha256").update(text).digest();
const spec = (of: ApiSchema): ApiSchema => ({ type: "object", properties: { spec: of } });
const plain = spec({ type: "object", properties: { guest: { type: "string" } } });
const kind = (versions: readonly ApiVersion[], more: Partial<ApiKind> = {}): ApiKind => ({
  kind: "Booking",
  scope: "Namespaced",
  versions,
  ...more,
});

describe("a declaration that cannot be served is refused with its reason", () => {
  const v1 = { name: "v1", schema: plain };
  const cases: { name: string; kind: ApiKind; error: RegExp }[] = [
    { name: "no version", kind: kind([]), error: /Booking has 0 versions/ },
    { name: "two versions and no hub", kind: kind([v1, { ...v1, name: "v2" }]), error: /"hub" names the one/ },
    { name: "a hub that is no version", kind: kind([v1], { hub: "v3" }), error: /no version v3, its hub/ },
    {
      name: "a version that cannot be converted",
      kind: kind([v1, { ...v1, name: "v2" }], { hub: "v1" }),
      error: /needs toHub and fromHub in version v2/,
    },
    {
      name: "a schema that is not structural",
      kind: kind([{ name: "v1", schema: spec({ properties: { a: { type: "string" } } }) }]),
      error: /Booking: spec\.validation\.openAPIV3Schema\.properties\[spec\]\.type: Required value/,
    },
    {
      name: "a default of the wrong type",
      kind: kind([{ name: "v1", schema: spec({ type: "object", properties: { a: { type: "string", default: 1 } } }) }]),
      error: /properties\[a\]\.default: Invalid value/,
    },
    {
      name: "a reference to nothing",
      kind: kind([{ name: "v1", schema: spec({ $ref: "#/$defs/Spec" }) }]),
      error: /#\/\$defs\/Spec leads nowhere/,
    },
    {
      name: "a schema that contains itself",
      kind: kind([
        {
          name: "v1",
          schema: {
            ...spec({ $ref: "#/$defs/Tree" }),
            $defs: { Tree: { type: "object", properties: { left: { $ref: "#/$defs/Tree" } } } },
          },
        },
      ]),
      error: /Tree → Tree contains itself/,
    },
    { name: "a plural that is no name", kind: kind([v1], { plural: "Bookings!" }), error: /spec\.names\.plural/ },
  ];
  for (const { name, kind: given, error } of cases)
    it(name, () => assert.throws(() => ownKind("hotel.example.com", given, { sha256 }), error));
});

describe("a kind of one's own", () => {
  const { hub, served } = ownKind(
    "hotel.example.com",
    kind(
      [
        { name: "v1", schema: plain },
        { name: "v0", schema: plain, served: false, toHub: (of) => of, fromHub: (of) => of },
      ],
      {
        hub: "v1",
        status: true,
        strategy: { validateCreate: () => [] },
      },
    ),
    { sha256 },
  );
  const object = (members: object): KubernetesObject =>
    ({
      apiVersion: "hotel.example.com/v1",
      kind: "Booking",
      metadata: { name: "a", namespace: "b" },
      ...members,
    }) as KubernetesObject;
  const context = { now: 0, gates: { enabled: () => false } };

  it("is named by its kind and serves what is not hidden", () => {
    assert.deepEqual(
      [hub.resource, hub.listKind, hub.storagePrefix, served],
      ["bookings", "BookingList", "hotel.example.com/bookings", ["v1"]],
    );
  });

  it("is decoded by its schema", () => {
    assert.deepEqual(
      hub.schema.fields.map(({ name }) => name),
      ["kind", "apiVersion", "metadata", "spec"],
    );
  });

  it("counts generations where it has a status", () => {
    const first = object({ spec: { guest: "ann" } });
    hub.strategy.prepareForCreate?.(first, context);
    assert.equal(first.metadata.generation, 1);
    const changed = object({ spec: { guest: "eve" }, metadata: { ...first.metadata } });
    hub.strategy.prepareForUpdate?.(changed, first, context);
    assert.equal(changed.metadata.generation, 2);
  });

  it("checks metadata as every kind does", () => {
    const errors = fieldErrorsAtOnce(
      hub.strategy.validateCreate?.(object({ metadata: { name: "Not A Name", namespace: "b" } }), context),
    );
    assert.deepEqual(
      errors.map(({ field }) => String(field)),
      ["metadata.name"],
    );
  });
});

it("rules are found wherever they stand", () => {
  const rules = { "x-kubernetes-validations": [{ rule: "true" }] };
  assert.equal(hasRules(kind([{ name: "v1", schema: plain }])), false);
  assert.equal(
    hasRules(kind([{ name: "v1", schema: spec({ type: "array", items: { type: "object", ...rules } }) }])),
    true,
  );
  assert.equal(
    hasRules(kind([{ name: "v1", schema: { ...plain, $defs: { A: { type: "object", ...rules } } } }])),
    true,
  );
});
