import { autocompletion, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  HighlightStyle,
  indentUnit,
  syntaxHighlighting,
} from "@codemirror/language";
import { linter, lintGutter, lintKeymap } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { KubernetesValue, ObjectRef, ResourceInfo, SchemaDocument } from "../../contract/messages.js";
import { applyAction, replaceAction } from "../actions.js";
import { app, notify } from "../app-state.js";
import { Button } from "../button.js";
import { openDialog } from "../dialogs-state.js";
import { param } from "../route.js";
import { completeBy } from "./complete.js";
import { ownerGutter } from "./owner-gutter.js";
import { checkDocument, withoutStatus } from "./server-check.js";

const colors = HighlightStyle.define([
  { tag: tags.propertyName, class: "tok-key" },
  { tag: [tags.string, tags.content], class: "tok-text" },
  { tag: [tags.number, tags.bool, tags.null], class: "tok-value" },
  { tag: tags.comment, class: "tok-comment" },
]);

export interface EditorProps {
  readonly info: ResourceInfo;
  readonly objectRef: ObjectRef;
  readonly object: KubernetesValue;
  readonly yaml: string;
}

/** YAML with the server's schema, its checks while one types, and who owns each field. */
export function Editor({ info, objectRef, object, yaml: saved }: EditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | undefined>(undefined);
  const base = useSignal(saved);
  const isChanged = useSignal(false);
  const latest = useRef(object);
  latest.current = object;
  const isEditable = !app().cluster.readOnly && param("at") === "" && info.verbs.includes("update");
  useEffect(() => {
    const schema = loadSchema(info);
    const state = EditorState.create({
      doc: saved,
      extensions: [
        ...commonExtensions(),
        EditorState.readOnly.of(!isEditable),
        ownerGutter(() => latest.current),
        autocompletion({ override: [completeBy(schema)] }),
        ...(isEditable
          ? [
              linter((editor) => (isChanged.value ? checkDocument(editor, objectRef) : []), { delay: 500 }),
              lintGutter(),
            ]
          : []),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) isChanged.value = update.state.doc.toString() !== base.value;
        }),
      ],
    });
    view.current = new EditorView({ state, parent: host.current as HTMLElement });
    view.current.scrollDOM.tabIndex = 0; // what scrolls can be reached by keyboard (WCAG 2.1.1)
    return () => view.current?.destroy();
  }, []);
  // An object that changes while nobody edits it is followed; while somebody does, the server would report a conflict.
  useEffect(() => {
    if (isChanged.value || !view.current) return;
    base.value = saved;
    view.current.dispatch({ changes: { from: 0, to: view.current.state.doc.length, insert: saved } });
  }, [saved]);
  return (
    <div class="editor">
      <div class="toolbar">
        <span class="muted">
          {isEditable ? (isChanged.value ? "edited" : "as on the server") : "cannot be edited here"}
        </span>
        {isChanged.value && saved !== base.value && <span class="chip warn">changed on the server meanwhile</span>}
        <span class="space" />
        {isChanged.value && <EditorButtons {...{ view, objectRef, onReset: () => reset(), onSaved: () => keep() }} />}
      </div>
      <div ref={host} class="code" />
    </div>
  );

  /** What was written is what the server has now; it is on its way here. */
  function keep(): void {
    base.value = view.current?.state.doc.toString() ?? "";
    isChanged.value = false;
  }

  function reset(): void {
    isChanged.value = false;
    base.value = saved;
    view.current?.dispatch({ changes: { from: 0, to: view.current.state.doc.length, insert: saved } });
  }
}

interface EditorButtonsProps extends Pick<EditorProps, "objectRef"> {
  readonly view: { readonly current: EditorView | undefined };
  readonly onReset: () => void;
  readonly onSaved: () => void;
}

function EditorButtons({ view, objectRef, onReset, onSaved }: EditorButtonsProps) {
  const start = async (how: "replace" | "apply" | "force"): Promise<void> => {
    const parsed = await app().worker.call("parse", { text: view.current?.state.doc.toString() ?? "" });
    if ("problem" in parsed) return notify(parsed.problem, "bad");
    const body = withoutStatus(parsed.value);
    const action =
      how === "replace" ? replaceAction(objectRef, body) : applyAction(objectRef, forApply(body), how === "force");
    openDialog({
      kind: "action",
      actions: [{ action, ref: objectRef }],
      onDone: (failed) => failed === 0 && onSaved(),
    });
  };
  return (
    <>
      <Button class="quiet" onClick={onReset}>
        Undo all
      </Button>
      <Button
        onClick={() => void start("apply")}
        title="Claims the fields in the document; those of other managers are a conflict"
      >
        Apply …
      </Button>
      <Button onClick={() => void start("force")} title="Takes fields over from other managers">
        Apply by force …
      </Button>
      <Button class="filled" onClick={() => void start("replace")}>
        Save …
      </Button>
    </>
  );
}

/** Members that only the server writes. */
function forApply(body: ReturnType<typeof withoutStatus>): unknown {
  const { resourceVersion: _, uid: __, creationTimestamp: ___, managedFields: ____, ...metadata } = body.metadata ?? {};
  return { ...body, metadata };
}

const commonExtensions = () => [
  EditorView.cspNonce.of(app().nonce),
  lineNumbers(),
  foldGutter(),
  history(),
  drawSelection(),
  highlightActiveLine(),
  bracketMatching(),
  highlightSelectionMatches(),
  indentUnit.of("  "),
  yaml(),
  syntaxHighlighting(colors),
  EditorView.contentAttributes.of({ "aria-label": "YAML of the object" }),
  keymap.of([
    ...foldKeymap,
    ...completionKeymap,
    ...lintKeymap,
    ...searchKeymap,
    ...historyKeymap,
    ...defaultKeymap,
    indentWithTab,
  ]),
];

function loadSchema({ group, version, kind }: EditorProps["info"]): () => SchemaDocument | undefined {
  let schema: SchemaDocument | undefined;
  void app()
    .worker.call("schema", { group, version, kind })
    .then((found) => void (schema = found))
    .catch(() => undefined); // no completion then; the server's checks do not need it
  return () => schema;
}
