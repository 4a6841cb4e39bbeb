import { builtInTypes } from "@coxswain/api/tables";
import { cloneJson, decodeJson, equalJson } from "@coxswain/apimachinery/json";
import {
  formatGroupVersion,
  formatGroupVersionKind,
  type GroupVersionKind,
  type KubernetesObject,
} from "@coxswain/apimachinery/meta";
import { createNode, type SchemaNode, typeCodes } from "@coxswain/apimachinery/schema";
import type { AnyKind } from "@coxswain/kinds";
import { formOf, isVersionKind } from "../../catalogue/version-kind.js";
import { typeNameOf } from "../../documents/schemas/type-kinds.js";
import type { AdmissionAttributes } from "../admission.js";
import type { EquivalentResources } from "./equivalent-resources.js";
import { kindOfView } from "./requested-resource.js";

/** The objects of a write in one version. */
export interface VersionedWrite {
  readonly kind: GroupVersionKind;
  readonly object: KubernetesObject | undefined;
  readonly old: KubernetesObject | undefined;
}

/** The objects of a write in whichever version somebody wants to see them. */
export interface WriteVersions {
  in(kind: GroupVersionKind): Promise<VersionedWrite>;
  /** Puts what was made of the object in that version (JSON) in its place, defaults set. @returns whether it differs. @throws DecodeError */
  replace(kind: GroupVersionKind, json: Uint8Array): Promise<boolean>;
}

export function createWriteVersions(attributes: AdmissionAttributes, equivalents: EquivalentResources): WriteVersions {
  const { old } = attributes;
  const known = new Map<string, VersionedWrite>();
  const formFor = (kind: GroupVersionKind): Form => findForm(attributes, kind, equivalents);
  async function make(kind: GroupVersionKind): Promise<VersionedWrite> {
    const form = formFor(kind);
    const { object } = attributes;
    return { kind, object: object && (await form.fromOwn(object)), old: old && (await form.fromOwn(old)) };
  }
  async function inVersion(kind: GroupVersionKind): Promise<VersionedWrite> {
    const key = formatGroupVersionKind(kind);
    let found = known.get(key);
    if (!found) known.set(key, (found = await make(kind)));
    return found;
  }
  return {
    in: inVersion,
    async replace(kind, json) {
      const form = formFor(kind);
      const before = await inVersion(kind);
      const object = form.read(json);
      const isChanged = !equalJson(before.object, object);
      form.setDefaults?.(object);
      attributes.object = await form.toOwn(object);
      known.clear(); // other versions show what was there before
      known.set(formatGroupVersionKind(kind), { ...before, object });
      return isChanged;
    },
  };
}

/** How objects of a request look in one version. */
interface Form {
  /** @throws DecodeError */
  read(json: Uint8Array): KubernetesObject;
  setDefaults?(object: KubernetesObject): void;
  /** From the form in which the server holds the object, and back. The result is the caller's own only on the way back. */
  fromOwn(object: KubernetesObject): KubernetesObject | Promise<KubernetesObject>;
  toOwn(object: KubernetesObject): KubernetesObject | Promise<KubernetesObject>;
}

function findForm(attributes: AdmissionAttributes, wanted: GroupVersionKind, equivalents: EquivalentResources): Form {
  const { kind: own, subresource } = attributes;
  if (kindOfView(attributes)) return ofView(wanted);
  if (own.storedForm) {
    const served = equivalents.of(own, subresource === "" ? "" : subresource);
    const definition = served.find(
      ({ kind }) => formatGroupVersionKind(kind) === formatGroupVersionKind(wanted),
    )?.definition;
    return ofCustom(own, definition ?? own);
  }
  const form = formOf(own, formatGroupVersion(wanted)) ?? own;
  const read = reader(form.schema, wanted);
  const defaults = form.setDefaults && { setDefaults: form.setDefaults };
  return isVersionKind(form)
    ? { read, ...defaults, fromOwn: (object) => form.fromHub(object), toOwn: (object) => form.toHub(object) }
    : { read, ...defaults, fromOwn: (object) => object, toOwn: (object) => object };
}

/** Custom resources: each version has a definition, and a webhook may convert between them. What it does not know is pruned at the end. */
function ofCustom(own: AnyKind, form: AnyKind): Form {
  const read = reader(form.bodySchema ?? form.schema, form);
  const convert = async (object: KubernetesObject, to: AnyKind): Promise<KubernetesObject> => {
    const [converted = object] = (await own.storedForm?.convert([object], formatGroupVersion(to))) ?? [];
    return converted;
  };
  return {
    read,
    ...(form.setDefaults && { setDefaults: form.setDefaults }),
    fromOwn: (object) => (form === own ? object : convert(object, form)),
    async toOwn(object) {
      const converted = form === own ? cloneJson(object) : await convert(object, own);
      own.normalizeConverted?.(converted);
      own.setDefaults?.(converted);
      return converted;
    },
  };
}

/** The kinds of subresources have one version. */
function ofView(kind: GroupVersionKind): Form {
  const name = typeNameOf(kind);
  const schema = builtInTypes.has(name) ? builtInTypes.get(name) : createNode(typeCodes.json);
  return { read: reader(schema, kind), fromOwn: (object) => object, toOwn: (object) => object };
}

const reader =
  (schema: SchemaNode, kind: GroupVersionKind) =>
  (json: Uint8Array): KubernetesObject => {
    const object = decodeJson(json, schema).object as KubernetesObject;
    object.apiVersion = formatGroupVersion(kind);
    object.kind = kind.kind;
    return object;
  };
