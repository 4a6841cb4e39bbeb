import assert from "node:assert/strict";
import type { ApiCheck } from "./api-check.js";
import { namesOf } from "./api-session.js";

export const writingChecks: readonly ApiCheck[] = [
  {
    title: "a second create of the same name is refused",
    async body(api) {
      await api.create("one");
      const again = await api.newObject("one");
      assert.equal(await api.refusal(api.ask("POST", api.path(), { body: { value: again } })), "AlreadyExists");
    },
  },
  {
    title: "a name is generated where one is asked for",
    async body(api) {
      const { metadata: _, ...object } = await api.newObject("");
      const value = { ...object, metadata: { generateName: "made-" } };
      const { metadata } = await api.done(api.ask("POST", api.path(), { body: { value } }));
      assert.match(metadata.name ?? "", /^made-[a-z0-9]{5}$/);
    },
  },
  {
    title: "an update of an older state is a conflict",
    async body(api) {
      const old = await api.create("one");
      await api.done(api.patch("one", "merge", api.under.change));
      assert.equal(await api.refusal(api.ask("PUT", api.path("one"), { body: { value: old } })), "Conflict");
    },
  },
  {
    title: "an update that changes nothing is no write",
    async body(api) {
      const { metadata } = await api.create("one");
      const same = await api.done(api.read("one"));
      const put = await api.done(api.ask("PUT", api.path("one"), { body: { value: same } }));
      assert.equal(put.metadata.resourceVersion, metadata.resourceVersion);
    },
  },
  {
    title: "merge patches and JSON patches change the object",
    async body(api) {
      const before = await api.create("one");
      const merged = await api.done(api.patch("one", "merge", api.under.change));
      assert.notEqual(merged.metadata.resourceVersion, before.metadata.resourceVersion);
      const labelled = await api.done(
        api.patch("one", "json", [{ op: "add", path: "/metadata/labels", value: { patched: "yes" } }]),
      );
      assert.deepEqual(labelled.metadata.labels, { patched: "yes" });
    },
  },
  {
    title: "a dry run answers as a write does, and stores nothing",
    async body(api) {
      const value = await api.newObject("one");
      const dry = await api.done(api.ask("POST", api.path(), { body: { value }, query: { dryRun: "All" } }));
      assert.ok(dry.metadata.uid);
      assert.deepEqual(namesOf(await api.list()), []);
    },
  },
  {
    title: "an unknown member is refused where validation is strict",
    async body(api) {
      const value = { ...(await api.newObject("one")), noSuchMember: true };
      const sent = api.ask("POST", api.path(), { body: { value }, query: { fieldValidation: "Strict" } });
      assert.equal(await api.refusal(sent), "BadRequest");
    },
  },
  {
    title: "an unknown member is dropped with a warning otherwise",
    async body(api) {
      const value = { ...(await api.newObject("one")), noSuchMember: true };
      const asked = await api.ask("POST", api.path(), { body: { value } });
      assert.deepEqual(asked.warnings, ['unknown field "noSuchMember"']);
      assert.equal((await api.done(api.read("one")))["noSuchMember"], undefined);
    },
  },
  {
    title: "every invalid object is refused",
    concerns: ({ invalid = {} }) => Object.keys(invalid).length > 0,
    async body(api) {
      for (const [what, content] of Object.entries(api.under.invalid ?? {})) {
        const value = await api.withContent(content, "one");
        assert.equal(await api.refusal(api.ask("POST", api.path(), { body: { value } })), "Invalid", what);
      }
    },
  },
  {
    title: "the status is written through its subresource alone",
    concerns: ({ status }) => status !== undefined,
    async body(api) {
      const { status } = api.under;
      await api.create("one");
      assert.notDeepEqual((await api.done(api.patch("one", "merge", { status })))["status"], status);
      const body = { value: { status }, contentType: "application/merge-patch+json" };
      const written = await api.done(api.ask("PATCH", `${api.path("one")}/status`, { body }));
      assert.deepEqual(written["status"], status);
    },
  },
  {
    title: "what is written in one version is read in the others, and back",
    concerns: ({ otherVersions = [] }) => otherVersions.length > 0,
    async body(api) {
      const { group, otherVersions = [] } = api.under;
      const created = await api.create("one");
      for (const version of otherVersions) {
        const other = await api.done(api.read("one", version));
        assert.equal(other.apiVersion, `${group}/${version}`);
        await api.done(api.ask("PUT", api.path("one", version), { body: { value: other } }));
        assert.deepEqual(contentOf(await api.done(api.read("one"))), contentOf(created), version);
      }
    },
  },
];

function contentOf(object: { readonly metadata: object }): object {
  const { metadata: _, ...content } = object;
  return content;
}
