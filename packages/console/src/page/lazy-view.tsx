import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";

/** A view whose code is loaded when it is first opened. */
export function lazyView<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  return function LazyView(props: Props) {
    const [View, setView] = useState<ComponentType<Props> | undefined>(() => loaded);
    useEffect(() => {
      if (View) return;
      void load().then((found) => {
        loaded = found;
        setView(() => found);
      });
    }, []);
    return View ? <View {...props} /> : <p class="muted padded">loading …</p>;
  };
}
