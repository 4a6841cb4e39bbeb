import { builtInTypes } from "@coxswain/api/tables";
import { cloneJson, decodeJson, equalJson, walk } from "@coxswain/apimachinery/json";
import {
  formatGroupVersion,
  formatGroupVersionKind,
  type GroupVersionKind,
  type KubernetesObject,
  parseGroupVersion,
} from "@coxswain/apimachinery/meta";
import { createNode, type SchemaNode, typeCodes } from "@coxswain/apimachinery/schema";
import { StatusError } from "@coxswain/apimachinery/status";
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
    return {
      kind,
      // What was changed in place is put in order again.
      object: object && (walk(await form.fromOwn(object), form.schema) as KubernetesObject),
      old: old && (await form.fromOwn(old)),
    };
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
  readonly schema: SchemaNode;
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
    const served = equivalents.of(own, subresource);
    const definition = served.find(
      ({ kind }) => formatGroupVersionKind(kind) === formatGroupVersionKind(wanted),
    )?.definition;
    return ofCustom(own, definition ?? own);
  }
  const form = formOf(own, formatGroupVersion(wanted)) ?? own;
  const common = {
    schema: form.schema,
    read: reader(form.schema, wanted),
    ...(form.setDefaults && { setDefaults: form.setDefaults }),
  };
  return isVersionKind(form)
    ? { ...common, fromOwn: (object) => form.fromHub(object), toOwn: (object) => form.toHub(object) }
    : { ...common, fromOwn: (object) => object, toOwn: (object) => object };
}

/** Custom resources: each version has a definition, and a webhook may convert between them. What it does not know is pruned at the end. */
function ofCustom(own: AnyKind, form: AnyKind): Form {
  const schema = form.bodySchema ?? form.schema;
  const convert = async (object: KubernetesObject, to: AnyKind): Promise<KubernetesObject> => {
    const [converted = object] = (await own.storedForm?.convert([object], formatGroupVersion(to))) ?? [];
    return converted;
  };
  return {
    schema,
    read: reader(schema, form),
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
  return { schema, read: reader(schema, kind), fromOwn: (object) => object, toOwn: (object) => object };
}

const reader =
  (schema: SchemaNode, kind: GroupVersionKind) =>
  (json: Uint8Array): KubernetesObject => {
    const object = decodeJson(json, schema).object as KubernetesObject;
    checkKind(object, kind);
    object.apiVersion = formatGroupVersion(kind);
    object.kind = kind.kind;
    return object;
  };

/** An object that is of another kind now cannot be taken back. One without a kind is what it was. */
function checkKind({ apiVersion, kind }: Partial<KubernetesObject>, wanted: GroupVersionKind): void {
  const sentVersion = parseGroupVersion(apiVersion || formatGroupVersion(wanted));
  if (
    sentVersion &&
    (kind || wanted.kind) === wanted.kind &&
    formatGroupVersion(sentVersion) === formatGroupVersion(wanted)
  )
    return;
  const internal = `${wanted.group.split(".")[0] || "core"}.${wanted.kind}`;
  const message = `converting (${sentVersion?.version ?? ""}.${kind || wanted.kind}) to (${internal}): unknown conversion`;
  throw new StatusError({ code: 500, reason: "", message });
}
