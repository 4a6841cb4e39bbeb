import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { builtInKinds } from "../src/index.js";
const folder = fileURLToPath(new URL("examples/", import.meta.url));
export function readExamples() {
    return readdirSync(folder)
        .filter((name) => name.endsWith(".json"))
        .map((name) => {
        const [resource = "", ...group] = name.replace(/\.json$/, "").split(".");
        const kind = builtInKinds.find((one) => one.resource === resource && one.group === group.join("."));
        if (!kind)
            throw new Error(`no kind for examples/${name}`);
        const given = JSON.parse(readFileSync(`${folder}${name}`, "utf8"));
        return { kind, objects: [], skip: [], printed: [], updates: [], otherErrors: [], ...given };
    });
}
//# sourceMappingURL=examples.js.map