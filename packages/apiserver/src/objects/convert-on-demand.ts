import { stringifyJson, walk } from "@coxswain/apimachinery/json";
import type { ConvertVersion } from "@coxswain/apimachinery/managed-fields";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { StoredForm } from "@coxswain/kinds";
import type { Soon } from "@coxswain/runtime/soon";

type Converted = ReturnType<ConvertVersion>;

/** Thrown through the engine when it needs a conversion that is not known yet. */
class ConversionNeeded {
  readonly key: string;
  readonly object: Readonly<Record<string, unknown>>;
  readonly apiVersion: string;

  constructor(key: string, object: Readonly<Record<string, unknown>>, apiVersion: string) {
    this.key = key;
    this.object = object;
    this.apiVersion = apiVersion;
  }
}

/**
 * Runs a pure engine (managed fields, server-side apply) over versions whose conversion takes time: a webhook's.
 * Where the engine needs a conversion that was not made yet, it is left, the conversion made, and the engine run again. It
 * needs a handful at most, and most objects need none: every manager wrote in the version that is asked for.
 */
export async function withConversions<T>(form: StoredForm, run: (convert: ConvertVersion) => Soon<T>): Promise<T> {
  const known = new Map<string, Converted>();
  const convert: ConvertVersion = (object, apiVersion) => {
    const key = `${apiVersion} ${stringifyJson(object)}`;
    if (known.has(key)) return known.get(key);
    throw new ConversionNeeded(key, object, apiVersion);
  };
  for (;;) {
    try {
      return await run(convert);
    } catch (err) {
      if (!(err instanceof ConversionNeeded)) throw err;
      known.set(err.key, await convertNow(form, err));
    }
  }
}

async function convertNow(form: StoredForm, { object, apiVersion }: ConversionNeeded): Promise<Converted> {
  const from = form.typesOf(String(object["apiVersion"]));
  const to = form.typesOf(apiVersion);
  if (!from || !to) return undefined;
  const [converted] = await form.convert([walk(object, from.schema) as KubernetesObject], apiVersion);
  return (
    converted && {
      object: converted as unknown as Readonly<Record<string, unknown>>,
      node: to.applySchema ?? to.schema,
    }
  );
}
