import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";

/** A view whose code comes behind the first screen: when the browser has nothing else to do, or when it is opened. */
export function later<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  let known: ComponentType<P> | undefined;
  const get = () => load().then((view) => void (known = view));
  (globalThis.requestIdleCallback ?? setTimeout)(() => void get().catch(() => undefined));
  return function Later(props: P) {
    const [, setLoaded] = useState(false);
    useEffect(() => {
      if (known) return;
      get().then(
        () => setLoaded(true),
        // Another Parley answers by now, with other files.
        () => location.reload(),
      );
    }, []);
    const View = known;
    return View ? <View {...props} /> : null;
  };
}
