import { EditorView, GutterMarker, gutter } from "@codemirror/view";
import type { KubernetesValue } from "../../contract/messages.js";
import { ownersOf } from "./field-owners.js";
import { scanYaml } from "./yaml-lines.js";

class OwnerMarker extends GutterMarker {
  readonly #names: string;

  constructor(names: string) {
    super();
    this.#names = names;
  }

  override toDOM(): Node {
    const element = document.createElement("span");
    element.textContent = this.#names;
    element.title = this.#names;
    return element;
  }

  override eq(other: GutterMarker): boolean {
    return other instanceof OwnerMarker && other.#names === this.#names;
  }
}

/** Who last wrote each field, in the margin. A name stands where it changes, so that a block reads as one. */
export function ownerGutter(object: () => KubernetesValue) {
  let scannedText = "";
  let names: string[] = [];
  const namesOf = (text: string): string[] => {
    if (text === scannedText) return names;
    scannedText = text;
    names = scanYaml(text).map(({ path }) => ownersOf(object(), path).join(", "));
    return names;
  };
  return gutter({
    class: "owners",
    lineMarker(view: EditorView, line) {
      const all = namesOf(view.state.doc.toString());
      const number = view.state.doc.lineAt(line.from).number - 1;
      const name = all[number] ?? "";
      return name === "" || name === all[number - 1] ? null : new OwnerMarker(name);
    },
    lineMarkerChange: ({ docChanged }) => docChanged,
  });
}
