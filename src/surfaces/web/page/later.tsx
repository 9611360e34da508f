import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";

/** A view whose code is loaded when somebody first opens it. */
export function later<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  let known: ComponentType<P> | undefined;
  return function Later(props: P) {
    const [, setLoaded] = useState(false);
    useEffect(() => {
      if (known) return;
      load().then(
        (view) => ((known = view), setLoaded(true)),
        // Another Parley answers by now, with other files.
        () => location.reload(),
      );
    }, []);
    const View = known;
    return View ? <View {...props} /> : null;
  };
}
