import { applyMutation, mutationsOf, mutationText } from "./mutations.js";
/** Everything that is asked about a kind's examples. */
export function questionsOf({ kind, objects, skip, printed, updates }) {
    const { group, version, resource } = kind;
    const of = { group, version, resource };
    const found = [];
    for (const [base, example] of objects.entries()) {
        const object = complete(kind.kind, group, version, kind.namespaced, example);
        const stored = withStored(object);
        const mutations = mutationsOf(object, kind.schema, skip);
        found.push({ name: `${base}: create`, question: { op: "create", ...of, object }, base });
        found.push({ name: `${base}: print`, question: { op: "print", ...of, object }, base });
        for (const [ordinal, mutation] of mutations.entries()) {
            const changed = applyMutation(object, mutation);
            found.push({ name: `${base}.${ordinal}: create, ${mutationText(mutation)}`, question: { op: "create", ...of, object: changed }, base, mutation });
            found.push({ name: `${base}.${ordinal}: print, ${mutationText(mutation)}`, question: { op: "print", ...of, object: changed }, base, mutation });
            for (const view of ["", ...Object.keys(kind.views)]) {
                const question = { op: "update", ...of, view, old: stored, object: withStored(changed) };
                found.push({ name: `${base}.${ordinal}: update ${view}, ${mutationText(mutation)}`, question, base, mutation });
                const back = { op: "update", ...of, view, old: withStored(changed), object: stored };
                found.push({ name: `${base}.${ordinal}: update ${view} from, ${mutationText(mutation)}`, question: back, base, mutation });
            }
        }
    }
    for (const [at, { view = "", old, object }] of updates.entries()) {
        const full = (one) => withStored(complete(kind.kind, group, version, kind.namespaced, one));
        found.push({ name: `update ${at} ${view}`, question: { op: "update", ...of, view, old: full(old), object: full(object) }, base: -1 });
    }
    for (const [at, example] of printed.entries()) {
        found.push({ name: `print ${at}`, question: { op: "print", ...of, object: complete(kind.kind, group, version, kind.namespaced, example) }, base: -1 });
    }
    return found;
}
function complete(kind, group, version, namespaced, object) {
    const metadata = { name: "example", ...(namespaced && { namespace: "default" }), ...object["metadata"] };
    return { kind, apiVersion: group === "" ? version : `${group}/${version}`, ...object, metadata };
}
/** What the server gives an object when it is created. */
function withStored(object) {
    const { metadata, ...rest } = object;
    return { ...rest, metadata: { ...metadata, uid: "0b2f2c4e-6d1a-4f60-9c6b-2f6f7f0f5f10", resourceVersion: "7", generation: 1, creationTimestamp: "2026-01-01T00:00:00Z" } };
}
//# sourceMappingURL=questions.js.map