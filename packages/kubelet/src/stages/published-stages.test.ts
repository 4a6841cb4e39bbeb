import { existsSync, readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { parseYamlDocuments } from "@coxswain/apimachinery/yaml";
import { describeWith } from "@coxswain/tools/needs";
import { kwokVersion } from "@coxswain/tools/upstream";
import { expect, it } from "vitest";
import { Budget } from "../languages/budget.js";
import type { GoValue } from "../languages/template/go-values.js";
import { isStageFunction, stageFunctions } from "../languages/template/stage-functions.js";
import { type CompiledStage, compileStage } from "./compile-stage.js";
import { planSteps, type StageAction } from "./plan-steps.js";
import type { SelectedObject } from "./selected-object.js";
import type { StageObject } from "./stage-object.js";

const goPath = process.env["GOPATH"] ?? join(homedir(), "go");
const root = join(goPath, `pkg/mod/sigs.k8s.io/kwok@${kwokVersion}/kustomize/stage`);
const sets = [
  "pod/fast",
  "pod/general",
  "pod/chaos",
  "node/fast",
  "node/heartbeat",
  "node/heartbeat-with-lease",
  "node/chaos",
];
const read = (file: string): unknown[] => parseYamlDocuments(readFileSync(file, "utf8")).map(({ value }) => value);
const yamlOf = (folder: string, end: string): string[] =>
  existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(end) && name !== "kustomization.yaml") : [];
const stagesOf = (set: string): CompiledStage[] =>
  yamlOf(join(root, set), ".yaml").flatMap((file) => {
    const stage = compileStage(read(join(root, set, file))[0] as StageObject);
    return stage ? [stage] : [];
  });

/** As KWOK's own test does it: functions return their names and arguments. */
const shown = (name: string, args: readonly GoValue[]): string =>
  args.length === 0 ? name : `${name}(${args.map((arg) => JSON.stringify(arg)).join(", ")})`;
const functions = new Map(stageFunctions({ now: () => 0, startTime: 0, version: "" }));
for (const name of ["Now", "Version", "NodeIP", "NodeName", "NodePort", "PodIP", "NodeIPWith", "PodIPWith"])
  functions.set(name, (...args) => `<${shown(name, args)}>`);
for (const name of ["NodeIPsWith", "PodIPsWith"])
  functions.set(name, (...args) => [0, 1].map((i) => `<${i} of ${shown(name, args)}>`));

const nanoseconds = 1e6;
const now = Date.UTC(2006, 0, 2, 15, 4, 5);
/** All delays that chance may choose from, as the ends of a range. */
const delays = (stage: CompiledStage, object: SelectedObject): number[] | undefined => {
  const duration = stage.delay?.(object, now, new Budget({}));
  if (duration === undefined) return undefined;
  const jitter = stage.jitter?.(object, now, new Budget({}));
  const ends = jitter === undefined ? [duration] : jitter <= duration ? [jitter] : [duration, jitter];
  return ends.map((ms) => ms * nanoseconds);
};
const types = { strategic: "strategic-merge-patch", merge: "merge-patch", json: "json-patch" };
/** Objects are of no Go type in KWOK's test, so that a patch without a type is a merge patch there. */
const actionText = (action: StageAction): object => {
  if (action.kind === "event") return { kind: "event", ...action.event };
  if (action.kind === "delete") return { kind: "delete" };
  const { data, subresource, type } = action;
  const media = `application/${types[type === "strategic" ? "merge" : type]}+json`;
  return { kind: "patch", data, ...(subresource && { subresource }), type: media };
};

describeWith(
  "KWOK's published stages",
  { found: existsSync(root) && root, missing: `the sources of KWOK (go mod download sigs.k8s.io/kwok@${kwokVersion})` },
  () => {
    for (const set of sets) {
      it(`all of ${set} are understood`, () => expect(stagesOf(set).length).toBeGreaterThan(0));
      for (const file of yamlOf(join(root, set, "testdata"), ".input.yaml"))
        it(`${set}: ${file.replace(".input.yaml", "")} has the actions that KWOK has`, () => {
          const object = read(join(root, set, "testdata", file))[0] as SelectedObject;
          const [wanted] = read(join(root, set, "testdata", file.replace(".input.", ".output."))) as [
            { stages: unknown },
          ];
          const played = stagesOf(set)
            .filter((stage) => stage.selects(object, new Budget({})))
            .map((stage) => {
              const delay = delays(stage, object);
              const weight = stage.weight(object, now, new Budget({}));
              return {
                stage: stage.name,
                ...(delay && { delay }),
                ...(weight !== undefined && { weight }),
                next: planSteps(stage, { data: object, functions, budget: new Budget({}) }).map(actionText),
              };
            });
          expect(played).toEqual(wanted.stages);
        });
    }
    it("calls only functions that are known", () => expect([...functions.keys()].every(isStageFunction)).toBe(true));
  },
);
