import { describe, expect, it } from "vitest";
import type { KubernetesObject } from "../meta/object-meta.js";
import { createFieldLabelConversion, createScheme, fromObject, kindOf, toObject } from "./index.js";

interface Widget extends KubernetesObject {
  spec: { size?: number; length?: number };
}

const widget = (version: string) => ({ group: "example.com", version, kind: "Widget" });

function widgets() {
  const scheme = createScheme({ name: "test" });
  scheme.register(
    { gvk: widget("v1"), hub: true, setDefaults: (object) => void ((object as Widget).spec.size ??= 1) },
    { gvk: widget("v1beta1") },
    {
      gvk: widget("v1alpha1"),
      toHub: (object) => ({ ...object, spec: { size: (object as Widget).spec.length } }) as KubernetesObject,
      fromHub: (object) => ({ ...object, spec: { length: (object as Widget).spec.size } }) as KubernetesObject,
      convertFieldLabel: createFieldLabelConversion(
        ["metadata.name", "spec.size"],
        new Map([["spec.length", "spec.size"]]),
      ),
    },
  );
  return scheme;
}

const old: Widget = {
  apiVersion: "example.com/v1alpha1",
  kind: "Widget",
  metadata: { name: "w" },
  spec: { length: 3 },
};

describe("scheme", () => {
  it("lists versions by maturity", () =>
    expect(
      widgets()
        .versionsOf(widget(""))
        .map(({ gvk }) => gvk.version),
    ).toEqual(["v1", "v1beta1", "v1alpha1"]));
  it("lists the kinds of a version", () =>
    expect(
      widgets()
        .kindsOf(widget("v1beta1"))
        .map(({ gvk }) => gvk.kind),
    ).toEqual(["Widget"]));
  it("knows the hub", () => expect(widgets().hubOf(widget("")).gvk.version).toBe("v1"));
  it("converts through the hub", () => {
    const converted = widgets().convert(old, widget("v1alpha1"), "v1beta1");
    expect(JSON.stringify(converted)).toBe(
      '{"apiVersion":"example.com/v1beta1","kind":"Widget","metadata":{"name":"w"},"spec":{"size":3}}',
    );
    expect(widgets().convert(converted, widget("v1beta1"), "v1alpha1")).toEqual(old);
  });
  it("leaves an object of that version alone", () =>
    expect(widgets().convert(old, widget("v1alpha1"), "v1alpha1")).toBe(old));
  it("never changes what it converts", () => {
    const frozen = Object.freeze({ ...old, spec: Object.freeze({ ...old.spec }) });
    expect(() => widgets().convert(frozen, widget("v1alpha1"), "v1")).not.toThrow();
  });
  it("sets defaults of the version", () => {
    const object: Widget = { metadata: {}, spec: {} };
    widgets().setDefaults(object, widget("v1"));
    expect(object.spec.size).toBe(1);
  });
  it("renames fields of selectors", () => {
    expect(widgets().convertFieldLabel(widget("v1alpha1"), "spec.length", "3")).toEqual({
      field: "spec.size",
      value: "3",
    });
    expect(() => widgets().convertFieldLabel(widget("v1alpha1"), "spec.color", "")).toThrow(
      "field label not supported: spec.color",
    );
    expect(() => widgets().convertFieldLabel(widget("v1"), "spec.size", "")).toThrow(
      '"spec.size" is not a known field selector: only "metadata.name", "metadata.namespace"',
    );
  });
  it("reports what is not registered", () => {
    expect(() => widgets().get(widget("v3"))).toThrow(
      'no kind "Widget" is registered for version "example.com/v3" in scheme "test"',
    );
    expect(() => widgets().get({ group: "", version: "v9", kind: "" })).toThrow(
      'no version "v9" has been registered in scheme "test"',
    );
    expect(() => widgets().hubOf({ group: "", kind: "Pod" })).toThrow(
      'no kind "Pod" is registered for the internal version of group "" in scheme "test"',
    );
  });
  it("forgets a kind", () => {
    const scheme = widgets();
    scheme.unregister(widget(""));
    expect(scheme.find(widget("v1"))).toBeUndefined();
  });

  it("an unversioned kind is the same in every version", () => {
    const scheme = widgets();
    const gvk = { group: "", version: "v1", kind: "Status" };
    scheme.register({ gvk, unversioned: true });
    const status = { apiVersion: "v1", kind: "Status", metadata: {} } as KubernetesObject;
    expect(scheme.convert(status, gvk, "v2")).toBe(status);
  });

  it("a value becomes an object that names its kind, and back", () => {
    const scheme = widgets();
    const object = toObject(scheme, widget("v1alpha1"), { spec: { length: 3 } });
    expect(Object.entries(object)).toEqual([
      ["apiVersion", "example.com/v1alpha1"],
      ["kind", "Widget"],
      ["spec", { length: 3 }],
    ]);
    expect(kindOf(scheme, object)).toEqual(widget("v1alpha1"));
    expect(fromObject<Widget>(scheme, widget("v1alpha1"), object).spec.length).toBe(3);
    expect(() => fromObject(scheme, widget("v1"), object)).toThrow(
      "the object is example.com/v1alpha1, Kind=Widget, not example.com/v1, Kind=Widget",
    );
    expect(() => toObject(scheme, { ...widget("v1"), kind: "Gadget" }, {})).toThrow(/no kind "Gadget" is registered/);
  });
});
