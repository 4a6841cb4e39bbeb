import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { compileDeviceSelector } from "./device-selector.js";
import { type SelectableDevice } from "./device-value.js";

// What upstream's compiler of device selectors answers: tools/answers/cel, `go run . devices | gzip -9n`.
interface Question {
  readonly expression: string;
  readonly device: SelectableDevice;
  readonly isNew?: boolean;
  readonly consumableCapacity?: boolean;
  readonly listAttributes?: boolean;
}

interface Answer {
  readonly invalid?: string;
  readonly internal?: string;
  readonly maxCost?: string;
  readonly error?: string;
  readonly matches?: boolean;
  readonly cost?: number;
}

const file = new URL("testdata/device-answers.json.gz", import.meta.url);
const rows = JSON.parse(gunzipSync(readFileSync(file)).toString()) as (Question & Answer)[];

/** Upstream forgets that a domain may be missing where a device without any attribute is bound whole: an accident. */
const isGap = ({ expression, device }: Question): boolean =>
  expression.startsWith("cel.bind(a, device.attributes, ") && device.attributes === undefined;

function answer({ expression, device, isNew, consumableCapacity = false, listAttributes = false }: Question): Answer {
  const { selector, error } = compileDeviceSelector(expression, {
    isStored: isNew !== true,
    consumableCapacity,
    listAttributes,
  });
  if (error) return { [error.kind]: error.detail };
  const { matches, cost, error: failure } = selector.matches({ ...device, driver: device.driver ?? "" });
  return {
    maxCost: BigInt(selector.estimateCost()).toString(),
    ...(failure !== undefined && { error: failure }),
    ...(matches === true && { matches }),
    ...(cost !== undefined && { cost }),
  };
}

describe("device selectors", () => {
  it("are asked hundreds of expressions", () => expect(rows.length).toBeGreaterThan(700));

  it("answer as upstream's do: errors, estimated cost, match and cost", () => {
    const different = rows
      .filter((row) => !isGap(row))
      .flatMap(({ expression, device, isNew, consumableCapacity, listAttributes, ...theirs }) => {
        const question = { expression, device, isNew, consumableCapacity, listAttributes } as Question;
        const ours = answer(question);
        return sameAnswer(ours, theirs) ? [] : [JSON.stringify({ ...question, ours, theirs })];
      });
    expect(different).toEqual([]);
  });
});

/** Upstream reads the attributes of a device in the order of a Go map: which one it names is chance. */
const errorOf = ({ error }: Answer): string | undefined =>
  error?.endsWith(": unsupported attribute value") ? "unsupported attribute value" : error;

const sameAnswer = (a: Answer, b: Answer): boolean =>
  a.invalid === b.invalid &&
  a.internal === b.internal &&
  Number(a.maxCost ?? 0) === Number(b.maxCost ?? 0) &&
  errorOf(a) === errorOf(b) &&
  a.matches === b.matches &&
  (a.cost ?? 0) === (b.cost ?? 0);
