import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { SearchHit } from "../contract/messages.js";
import { app } from "./app-state.js";
import { closePalette, paletteText } from "./palette-state.js";
import { go } from "./route.js";

/** Search over kinds and objects, by Ctrl-K. */
export const Palette = () => (paletteText.value === undefined ? null : <OpenPalette />);

const askedAfterMs = [0, 400, 1500, 5000];

/** What is found for the text, and which of it is chosen. */
function useHits(text: string) {
  const hits = useSignal<readonly SearchHit[]>([]);
  const chosen = useSignal(0);
  /** What `hits` are for: somebody who types faster than they come has not seen them. */
  const answered = useRef<string | undefined>(undefined);
  useEffect(() => {
    let isWanted = true;
    const ask = async (): Promise<void> => {
      const found = await app().worker.call("search", { text });
      if (!isWanted) return;
      hits.value = found;
      if (answered.current !== text) chosen.value = 0;
      answered.current = text;
    };
    // The first question opens informers; what they bring is found by those that follow.
    const questions = askedAfterMs.map((ms) => app().runtime.clock.setTimer(ms, () => void ask()));
    return () => {
      isWanted = false;
      for (const question of questions) question.cancel();
    };
  }, [text]);
  return { hits, chosen, answered };
}

function OpenPalette() {
  const dialog = useRef<HTMLDialogElement>(null);
  const text = paletteText.value ?? "";
  const { hits, chosen, answered } = useHits(text);
  // As soon as it is there: what is typed next is for it.
  useLayoutEffect(() => {
    dialog.current?.showModal();
    dialog.current?.querySelector("input")?.focus();
  }, []);
  const choose = (hit: SearchHit | undefined): void => {
    closePalette();
    if (hit) go(hit.hash);
  };
  const chooseCurrent = async (): Promise<void> => {
    const wanted = paletteText.value ?? "";
    if (answered.current === wanted) choose(hits.value[chosen.value]);
    else choose((await app().worker.call("search", { text: wanted }))[0]);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      chosen.value = Math.max(0, Math.min(hits.value.length - 1, chosen.value + step));
    } else if (event.key === "Enter") void chooseCurrent();
  };
  return (
    <dialog
      ref={dialog}
      class="palette"
      aria-label="Search"
      onClose={closePalette}
      onClick={(event) => event.target === dialog.current && closePalette()}
    >
      <input
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-hits"
        aria-activedescendant={hits.value.length > 0 ? `hit-${chosen.value}` : undefined}
        placeholder="A kind or a name: deploy, nginx, shop web …"
        aria-label="Search kinds and objects"
        value={text}
        onInput={(event) => (paletteText.value = event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <ul id="palette-hits" role="listbox" aria-label="Found">
        {hits.value.map((hit, at) => (
          <li
            key={hit.hash}
            id={`hit-${at}`}
            role="option"
            aria-selected={at === chosen.value}
            onClick={() => choose(hit)}
            onMouseMove={() => (chosen.value = at)}
          >
            <span>{hit.title}</span>
            <span class="muted">{hit.detail}</span>
          </li>
        ))}
      </ul>
      {hits.value.length === 0 && <p class="muted">Nothing found.</p>}
    </dialog>
  );
}
